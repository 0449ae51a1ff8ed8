import type { Author, FileChange, WorkspaceTemplate } from '@coherex/contract'
import { bigint, customType, integer, jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import type { KeptEntry } from './git/git-task.ts'

const coherex = pgSchema('coherex')
const at = (name: string) => timestamp(name, { withTimezone: true })
const count = (name: string) => bigint(name, { mode: 'number' })
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

export type ContentKind = 'text' | 'blob'

export const workspaceTable = coherex.table('workspace', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  name: text('name').notNull(),
  template: text('template').$type<WorkspaceTemplate>().notNull(),
  createdBy: jsonb('created_by').$type<Author>().notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
  archivedAt: at('archived_at'),
  retentionDays: integer('retention_days'),
  /** The one person who sees it; null is the team. */
  privateTo: text('private_to'),
  seq: count('seq').notNull().default(0),
  version: count('version').notNull().default(0),
  versionSeq: count('version_seq').notNull().default(0),
  logBytes: count('log_bytes').notNull().default(0),
})

export const snapshotTable = coherex.table('workspace_snapshot', {
  teamId: text('team_id').notNull(),
  workspaceId: text('workspace_id').notNull(),
  seq: count('seq').notNull(),
  bytes: bytes('bytes').notNull(),
})

export const updateTable = coherex.table('workspace_update', {
  teamId: text('team_id').notNull(),
  workspaceId: text('workspace_id').notNull(),
  seq: count('seq').notNull(),
  bytes: bytes('bytes').notNull(),
  author: jsonb('author').$type<Author>().notNull(),
  at: at('at').notNull().defaultNow(),
})

export const logTable = coherex.table('workspace_log', {
  teamId: text('team_id').notNull(),
  workspaceId: text('workspace_id').notNull(),
  lastSeq: count('last_seq').notNull(),
  firstSeq: count('first_seq').notNull(),
  lastAt: at('last_at').notNull(),
  bytes: bytes('bytes').notNull(),
})

export const versionTable = coherex.table('workspace_version', {
  teamId: text('team_id').notNull(),
  workspaceId: text('workspace_id').notNull(),
  number: count('number').notNull(),
  seq: count('seq').notNull(),
  author: jsonb('author').$type<Author>().notNull(),
  coauthors: jsonb('coauthors').$type<Author[]>().notNull().default([]),
  message: text('message'),
  changes: jsonb('changes').$type<FileChange[]>().notNull(),
  changeCount: integer('change_count').notNull(),
  at: at('at').notNull().defaultNow(),
})

export const changeTable = coherex.table('workspace_change', {
  teamId: text('team_id').notNull(),
  workspaceId: text('workspace_id').notNull(),
  path: text('path').notNull(),
  number: count('number').notNull(),
  kind: text('kind').$type<ContentKind>(),
  hash: text('hash'),
  size: count('size').notNull().default(0),
})

export const fileTable = coherex.table('workspace_file', {
  teamId: text('team_id').notNull(),
  workspaceId: text('workspace_id').notNull(),
  path: text('path').notNull(),
  kind: text('kind').$type<ContentKind>().notNull(),
  hash: text('hash').notNull(),
  size: count('size').notNull(),
  number: count('number').notNull(),
  at: at('at').notNull(),
  lexemes: tsvector('lexemes'),
})

export const contentTable = coherex.table('workspace_content', {
  teamId: text('team_id').notNull(),
  workspaceId: text('workspace_id').notNull(),
  hash: text('hash').notNull(),
  kind: text('kind').$type<ContentKind>().notNull(),
  base: text('base'),
  bytes: bytes('bytes'),
  storedBytes: count('stored_bytes').notNull(),
})

export const tagTable = coherex.table('workspace_tag', {
  teamId: text('team_id').notNull(),
  workspaceId: text('workspace_id').notNull(),
  name: text('name').notNull(),
  number: count('number').notNull(),
  createdBy: jsonb('created_by').$type<Author>().notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})

export const proposalTable = coherex.table('workspace_proposal', {
  teamId: text('team_id').notNull(),
  workspaceId: text('workspace_id').notNull(),
  id: text('id').notNull(),
  path: text('path').notNull(),
  author: jsonb('author').$type<Author>().notNull(),
  message: text('message'),
  readVersion: count('read_version').notNull(),
  before: bytes('before').notNull(),
  after: bytes('after').notNull(),
  status: text('status').$type<'open' | 'accepted' | 'rejected'>().notNull(),
  decidedBy: jsonb('decided_by').$type<Author>(),
  note: text('note'),
  version: count('version'),
  createdAt: at('created_at').notNull().defaultNow(),
  decidedAt: at('decided_at'),
})

export const clientTable = coherex.table('workspace_client', {
  teamId: text('team_id').notNull(),
  workspaceId: text('workspace_id').notNull(),
  client: count('client').notNull(),
  personId: text('person_id').notNull(),
})

export const remoteTable = coherex.table('workspace_remote', {
  teamId: text('team_id').notNull(),
  workspaceId: text('workspace_id').notNull(),
  url: text('url').notNull(),
  branch: text('branch').notNull(),
  commit: text('commit'),
  object: bytes('object'),
  version: count('version'),
  nextCommit: text('next_commit'),
  nextObject: bytes('next_object'),
  nextVersion: count('next_version'),
  entries: jsonb('entries').$type<KeptEntry[]>().notNull(),
  secret: text('secret'),
  username: text('username'),
  by: jsonb('by_author').$type<Author>().notNull(),
  at: at('at').notNull().defaultNow(),
})

export const secretHostTable = coherex.table('git_secret_host', {
  teamId: text('team_id').notNull(),
  secretId: text('secret_id').notNull(),
  origin: text('origin').notNull(),
  openedBy: text('opened_by').notNull(),
  openedAt: at('opened_at').notNull().defaultNow(),
})

export const presenceTable = coherex.table('workspace_presence', {
  teamId: text('team_id').notNull(),
  workspaceId: text('workspace_id').notNull(),
  server: text('server').notNull(),
  states: jsonb('states').$type<unknown>().notNull(),
  at: at('at').notNull().defaultNow(),
})
