import type { McpPlace, McpServer } from '@coherex/contract'
import { boolean, customType, integer, jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import type { ToldTool } from './mcp-tool.ts'

const coherex = pgSchema('coherex')
const at = (name: string) => timestamp(name, { withTimezone: true })
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const mcpServerTable = coherex.table('mcp_server', {
  teamId: text('team_id').notNull(),
  name: text('name').notNull(),
  place: jsonb('place').$type<McpPlace>().notNull(),
  number: integer('number').notNull().default(1),
  status: text('status').$type<McpServer['status']>().notNull().default('new'),
  problem: text('problem'),
  title: text('title'),
  protocol: text('protocol'),
  checkedAt: at('checked_at'),
  decidedAt: at('decided_at'),
  createdBy: text('created_by').notNull(),
  createdByName: text('created_by_name').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})
export type McpServerRow = typeof mcpServerTable.$inferSelect

export const mcpToolTable = coherex.table('mcp_tool', {
  teamId: text('team_id').notNull(),
  serverName: text('server_name').notNull(),
  name: text('name').notNull(),
  offeredAs: text('offered_as').notNull(),
  told: jsonb('told').$type<ToldTool>().notNull(),
  hash: text('hash').notNull(),
  approved: jsonb('approved').$type<ToldTool>(),
  approvedHash: text('approved_hash'),
  problem: text('problem'),
  isGone: boolean('is_gone').notNull().default(false),
  changedAt: at('changed_at').notNull().defaultNow(),
  approvedBy: text('approved_by'),
  approvedByName: text('approved_by_name'),
  approvedAt: at('approved_at'),
})
export type McpToolRow = typeof mcpToolTable.$inferSelect

export const mcpAppTable = coherex.table('mcp_app', {
  teamId: text('team_id').notNull(),
  serverName: text('server_name').notNull(),
  uri: text('uri').notNull(),
  html: text('html').notNull(),
  prefersBorder: boolean('prefers_border').notNull(),
  readAt: at('read_at').notNull().defaultNow(),
})

export const mcpCredentialTable = coherex.table('mcp_credential', {
  teamId: text('team_id').notNull(),
  serverName: text('server_name').notNull(),
  sealed: bytes('sealed').notNull(),
})
