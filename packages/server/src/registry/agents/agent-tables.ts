import type { AgentDefinition, AgentStatus, AgentVersionState } from '@coherex/contract'
import { boolean, integer, jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

const coherex = pgSchema('coherex')
const at = (name: string) => timestamp(name, { withTimezone: true })

export const agentTable = coherex.table('agent', {
  teamId: text('team_id').notNull(),
  name: text('name').notNull(),
  status: text('status').$type<AgentStatus>().notNull(),
  version: integer('version').notNull(),
  wasActive: boolean('was_active').notNull().default(false),
  createdBy: text('created_by').notNull(),
  createdByName: text('created_by_name').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})

export const agentVersionTable = coherex.table('agent_version', {
  teamId: text('team_id').notNull(),
  agentName: text('agent_name').notNull(),
  version: integer('version').notNull(),
  source: text('source').notNull(),
  definition: jsonb('definition').$type<AgentDefinition>().notNull(),
  note: text('note').notNull(),
  state: text('state').$type<AgentVersionState>().notNull(),
  createdBy: text('created_by').notNull(),
  createdByName: text('created_by_name').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  byAgent: text('by_agent'),
  threadId: text('thread_id'),
  turnId: text('turn_id'),
  decidedBy: text('decided_by'),
  decidedByName: text('decided_by_name'),
  decidedAt: at('decided_at'),
  decisionNote: text('decision_note'),
})

export type AgentRow = typeof agentTable.$inferSelect
export type AgentVersionRow = typeof agentVersionTable.$inferSelect
