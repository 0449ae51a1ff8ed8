import type { SkillFrontMatter, SkillVersionState } from '@coherex/contract'
import { bigint, customType, integer, jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

const coherex = pgSchema('coherex')
const at = (name: string) => timestamp(name, { withTimezone: true })
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const skillTable = coherex.table('skill', {
  teamId: text('team_id').notNull(),
  name: text('name').notNull(),
  activeVersion: integer('active_version'),
  newestVersion: integer('newest_version').notNull(),
  archivedAt: at('archived_at'),
  createdBy: text('created_by').notNull(),
  createdByName: text('created_by_name').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})

export const skillVersionTable = coherex.table('skill_version', {
  teamId: text('team_id').notNull(),
  skillName: text('skill_name').notNull(),
  version: integer('version').notNull(),
  state: text('state').$type<SkillVersionState>().notNull(),
  frontMatter: jsonb('front_matter').$type<SkillFrontMatter>().notNull(),
  note: text('note').notNull(),
  digest: text('digest').notNull(),
  size: integer('size').notNull(),
  createdBy: text('created_by').notNull(),
  createdByName: text('created_by_name').notNull(),
  agentName: text('agent_name'),
  threadId: text('thread_id'),
  createdAt: at('created_at').notNull().defaultNow(),
  decidedBy: text('decided_by'),
  decidedByName: text('decided_by_name'),
  decidedAt: at('decided_at'),
  decisionNote: text('decision_note'),
})

export const skillFileTable = coherex.table('skill_file', {
  teamId: text('team_id').notNull(),
  skillName: text('skill_name').notNull(),
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
