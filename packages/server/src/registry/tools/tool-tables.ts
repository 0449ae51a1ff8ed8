import type { ToolCallerKind, ToolDefinition, ToolReach, ToolReview, ToolRules } from '@coherex/contract'
import { bigint, date, integer, jsonb, text } from 'drizzle-orm/pg-core'
import { holdingColumns } from '../definition/create-holding.ts'
import { at, coherex } from '../definition/definition-tables.ts'
import { blobFileTable } from '../definition/folder-files.ts'
import { folderHeadColumns, folderVersionColumns } from '../definition/folder-kind.ts'
import type { NamedTool } from './find-named-tools.ts'

export const toolTable = coherex.table('tool', {
  ...folderHeadColumns(),
  unpublishedAt: at('unpublished_at'),
  deprecation: text('deprecation'),
  ...holdingColumns<ToolReach>(),
})

export const toolVersionTable = coherex.table('tool_version', {
  ...folderVersionColumns({ name: 'tool_name', byAgent: 'by_agent' }),
  definition: jsonb('definition').$type<ToolDefinition>().notNull(),
  inputSchema: jsonb('input_schema').$type<ToolSchema>().notNull(),
  outputSchema: jsonb('output_schema').$type<ToolSchema>().notNull(),
  lock: text('lock'),
  uses: jsonb('uses').$type<NamedTool[]>().notNull(),
  turnId: text('turn_id'),
})

export const toolFileTable = blobFileTable('tool')

const count = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0)

/** Written with the end of each call by `record_runs`. */
export const toolCallsTable = coherex.table('tool_calls', {
  teamId: text('team_id').notNull(),
  name: text('tool_name').notNull(),
  day: date('day').notNull(),
  version: integer('version').notNull(),
  callerKind: text('caller_kind').$type<ToolCallerKind>().notNull(),
  callerId: text('caller_id').notNull(),
  bucket: integer('bucket').notNull(),
  callerName: text('caller_name').notNull(),
  calls: count('calls'),
  failed: count('failed'),
  invalidInput: count('invalid_input'),
  invalidOutput: count('invalid_output'),
})

export const toolReviewTable = coherex.table('tool_review', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  name: text('tool_name').notNull(),
  version: integer('version').notNull(),
  decision: text('decision').$type<ToolReview['decision']>().notNull(),
  note: text('note').notNull(),
  file: text('file'),
  line: integer('line'),
  byKind: text('by_kind').$type<ToolReview['by']['kind']>().notNull(),
  byId: text('by_id').notNull(),
  byName: text('by_name').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})

export const toolRuleTable = coherex.table('tool_rule', {
  teamId: text('team_id').notNull(),
  toolReview: text('tool_review').$type<ToolRules['toolReview']>().notNull(),
  serviceUrl: text('service_url'),
  serviceSecret: text('service_secret'),
})

export type ToolSchema = Record<string, unknown> | boolean
export type ToolRow = typeof toolTable.$inferSelect
export type ToolVersionRow = typeof toolVersionTable.$inferSelect
