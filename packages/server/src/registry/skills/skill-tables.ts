import type { SkillFrontMatter, SkillVersionState } from '@coherex/contract'
import { bigint, customType, integer, jsonb, text } from 'drizzle-orm/pg-core'
import { at, coherex, headColumns, versionColumns } from '../definition/definition-tables.ts'

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const skillTable = coherex.table('skill', {
  ...headColumns(),
  activeVersion: integer('active_version'),
  newestVersion: integer('newest_version').notNull(),
  archivedAt: at('archived_at'),
})

export const skillVersionTable = coherex.table('skill_version', {
  ...versionColumns({ name: 'skill_name', byAgent: 'agent_name' }),
  state: text('state').$type<SkillVersionState>().notNull(),
  frontMatter: jsonb('front_matter').$type<SkillFrontMatter>().notNull(),
  digest: text('digest').notNull(),
  size: integer('size').notNull(),
})

export const skillFileTable = coherex.table('skill_file', {
  teamId: text('team_id').notNull(),
  name: text('skill_name').notNull(),
  version: integer('version').notNull(),
  path: text('path').notNull(),
  bytes: bytes('bytes').notNull(),
})

export const workspaceSkillTable = coherex.table('workspace_skill', {
  teamId: text('team_id').notNull(),
  workspaceId: text('workspace_id').notNull(),
  name: text('name').notNull(),
  description: text('description').notNull(),
  digest: text('digest').notNull(),
  workspaceVersion: bigint('workspace_version', { mode: 'number' }).notNull(),
  approvedBy: text('approved_by').notNull(),
  approvedByName: text('approved_by_name').notNull(),
  approvedAt: at('approved_at').notNull().defaultNow(),
})

export type SkillRow = typeof skillTable.$inferSelect
export type SkillVersionRow = typeof skillVersionTable.$inferSelect
