import type { UIMessage } from 'ai'
import { boolean, jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

const coherex = pgSchema('coherex')
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
  headId: text('head_id'),
  parentTurnId: text('parent_turn_id'),
  parentCallId: text('parent_call_id'),
  personId: text('person_id').notNull(),
  personName: text('person_name').notNull(),
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
  authorId: text('author_id').notNull(),
  authorName: text('author_name').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})
