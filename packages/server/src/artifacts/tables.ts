import type { ArtifactKind, Share, ShareMode, ShareReach } from '@coherex/contract'
import { boolean, integer, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

const coherex = pgSchema('coherex')

export const artifactTable = coherex.table('artifact', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  threadId: text('thread_id').notNull(),
  messageId: text('message_id').notNull(),
  fence: integer('fence').notNull(),
  kind: text('kind').$type<ArtifactKind>().notNull(),
  language: text('language').notNull(),
  title: text('title'),
  version: integer('version').notNull().default(1),
  runId: text('run_id'),
})

export const artifactVersionTable = coherex.table('artifact_version', {
  teamId: text('team_id').notNull(),
  artifactId: text('artifact_id').notNull(),
  version: integer('version').notNull(),
  code: text('code').notNull(),
  createdBy: text('created_by').notNull(),
  createdByName: text('created_by_name').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

export const shareTable = coherex.table('share', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  artifactId: text('artifact_id'),
  threadId: text('of_thread'),
  lastMessage: text('last_message'),
  workspaceId: text('of_workspace'),
  path: text('of_path'),
  mode: text('mode').$type<ShareMode>().notNull(),
  reach: text('reach').$type<ShareReach>().notNull(),
  isListed: boolean('is_listed').notNull(),
  title: text('title').notNull(),
  kind: text('kind').$type<Share['kind']>().notNull(),
  language: text('language').notNull(),
  createdBy: text('created_by').notNull(),
  createdByName: text('created_by_name').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp('expires_at', { withTimezone: true }),
})

/** The one table of shares that is read before their team is known. */
export const shareTokenTable = pgSchema('coherex_auth').table('share_token', {
  hash: text('hash').primaryKey(),
  teamId: text('team_id').notNull(),
  shareId: text('share_id').notNull(),
})
