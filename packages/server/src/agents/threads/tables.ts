import type { ThreadOrigin, TriedSkill } from '@coherex/contract'
import type { UIMessage } from 'ai'
import { getTableColumns, sql } from 'drizzle-orm'
import { boolean, customType, jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import type { Acting } from '../../access/index.ts'

const coherex = pgSchema('coherex')
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
const at = (name: string) => timestamp(name, { withTimezone: true })

export const threadTable = coherex.table('thread', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  agentName: text('agent_name').notNull(),
  model: text('model'),
  title: text('title').notNull().default(''),
  isTitleGiven: boolean('is_title_given').notNull().default(false),
  pinned: boolean('pinned').notNull().default(false),
  workspaceId: text('workspace_id'),
  sandboxId: text('sandbox_id'),
  skill: jsonb('skill').$type<TriedSkill>(),
  definition: text('definition'),
  headId: text('head_id'),
  parentTurnId: text('parent_turn_id'),
  parentCallId: text('parent_call_id'),
  personId: text('person_id').notNull(),
  personName: text('person_name').notNull(),
  privateTo: text('private_to'),
  origin: text('origin').$type<ThreadOrigin>().notNull().default('person'),
  isArchived: boolean('is_archived').notNull().default(false),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})

export const messageTable = coherex.table('message', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  threadId: text('thread_id').notNull(),
  parentId: text('parent_id'),
  role: text('role').$type<'user' | 'assistant' | 'system'>().notNull(),
  parts: jsonb('parts').$type<UIMessage['parts']>().notNull(),
  metadata: jsonb('metadata').$type<Record<string, unknown>>(),
  turnId: text('turn_id'),
  words: text('words').notNull().default(''),
  lexemes: tsvector('lexemes').generatedAlwaysAs(sql`of words`),
  authorId: text('author_id').notNull(),
  authorName: text('author_name').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})

const { lexemes: _, ...readColumns } = getTableColumns(messageTable)
/** All of a message but what only a search compares. */
export const messageColumns = readColumns

export const queuedMessageTable = coherex.table('queued_message', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  threadId: text('thread_id').notNull(),
  parts: jsonb('parts').$type<UIMessage['parts']>().notNull(),
  model: text('model'),
  personId: text('person_id').notNull(),
  personName: text('person_name').notNull(),
  acting: jsonb('acting').$type<Acting>().notNull(),
  problem: text('problem'),
  createdAt: at('created_at').notNull().defaultNow(),
})
