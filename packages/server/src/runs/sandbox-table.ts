import type { Language, SandboxStatus } from '@coherex/contract'
import { bigint, boolean, integer, jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import type { KeptPackages } from './sandboxes/packages/sandbox-packages.ts'
import type { KeptSession } from './sandboxes/sandbox.ts'

const coherex = pgSchema('coherex')
const at = (name: string) => timestamp(name, { withTimezone: true })

export const sandboxTable = coherex.table('sandbox', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  name: text('name').notNull(),
  status: text('status').$type<SandboxStatus>().notNull(),
  reason: text('reason'),
  notice: text('notice'),
  personId: text('person_id').notNull(),
  personName: text('person_name').notNull(),
  serverId: text('server_id').notNull(),
  language: text('language').$type<Language>(),
  templateName: text('template_name'),
  templateVersion: integer('template_version'),
  limits: jsonb('limits').$type<{ memoryMb: number; diskMb: number }>().notNull(),
  network: jsonb('network').$type<{ allow: string[] }>(),
  env: jsonb('env').$type<Record<string, string>>().notNull(),
  workspaceId: text('workspace_id'),
  agentName: text('agent_name'),
  threadId: text('thread_id'),
  /** The one person who sees it; null is the team, or who sees its thread. */
  privateTo: text('private_to'),
  idleTimeoutMs: integer('idle_timeout_ms').notNull(),
  forkedFrom: text('forked_from'),
  sessions: jsonb('sessions').$type<KeptSession[]>().notNull().default([]),
  leftOut: integer('left_out').notNull().default(0),
  packages: jsonb('packages').$type<KeptPackages[]>().notNull().default([]),
  outsideLock: boolean('outside_lock').notNull().default(false),
  sharesSince: at('shares_since').notNull().defaultNow(),
  createdAt: at('created_at').notNull().defaultNow(),
  lastUsedAt: at('last_used_at').notNull().defaultNow(),
  endedAt: at('ended_at'),
})

export const sandboxFileTable = coherex.table('sandbox_file', {
  teamId: text('team_id').notNull(),
  sandboxId: text('sandbox_id').notNull(),
  path: text('path').notNull(),
  size: bigint('size', { mode: 'number' }).notNull(),
  hash: text('hash'),
  modifiedAt: at('modified_at').notNull(),
  isExecutable: boolean('is_executable').notNull().default(false),
  linkTarget: text('link_target'),
})

export const sandboxCellTable = coherex.table('sandbox_cell', {
  teamId: text('team_id').notNull(),
  sandboxId: text('sandbox_id').notNull(),
  runId: text('run_id').notNull(),
  context: text('context').notNull(),
  cellId: text('cell_id'),
})

export const templateTable = coherex.table('template', {
  teamId: text('team_id').notNull(),
  name: text('name').notNull(),
  version: integer('version').notNull(),
  description: text('description').notNull(),
  packages: jsonb('packages').$type<string[]>().notNull(),
  locks: jsonb('locks').$type<KeptPackages[]>().notNull().default([]),
  files: jsonb('files').$type<Record<string, string>>().notNull(),
  start: text('start'),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
  personId: text('person_id').notNull(),
  personName: text('person_name').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})

export const templateFileTable = coherex.table('template_file', {
  teamId: text('team_id').notNull(),
  name: text('name').notNull(),
  version: integer('version').notNull(),
  path: text('path').notNull(),
  size: bigint('size', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
})
