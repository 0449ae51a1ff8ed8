import type { DefinitionReach, SkillFrontMatter, SkillVersionState } from '@coherex/contract'
import { bigint, jsonb, text } from 'drizzle-orm/pg-core'
import { holdingColumns } from '../definition/create-holding.ts'
import { at, coherex } from '../definition/definition-tables.ts'
import { fileTable } from '../definition/folder-files.ts'
import { folderHeadColumns, folderVersionColumns } from '../definition/folder-kind.ts'

export const skillTable = coherex.table('skill', {
  ...folderHeadColumns(),
  archivedAt: at('archived_at'),
  ...holdingColumns<DefinitionReach>(),
})

export const skillVersionTable = coherex.table('skill_version', {
  ...folderVersionColumns({ name: 'skill_name', byAgent: 'agent_name' }),
  state: text('state').$type<SkillVersionState>().notNull(),
  frontMatter: jsonb('front_matter').$type<SkillFrontMatter>().notNull(),
})

export const skillFileTable = fileTable('skill')

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
