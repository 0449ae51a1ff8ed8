import type { AgentDefinition, AgentStatus, DefinitionReach } from '@coherex/contract'
import { boolean, text } from 'drizzle-orm/pg-core'
import { holdingColumns } from '../definition/create-holding.ts'
import { coherex } from '../definition/definition-tables.ts'
import { textHeadColumns, textVersionColumns } from '../definition/text-kind.ts'

export const agentTable = coherex.table('agent', {
  ...textHeadColumns(),
  status: text('status').$type<AgentStatus>().notNull(),
  wasActive: boolean('was_active').notNull().default(false),
  ...holdingColumns<DefinitionReach>(),
})

export const agentVersionTable = coherex.table('agent_version', textVersionColumns<AgentDefinition>('agent'))

export type AgentRow = typeof agentTable.$inferSelect
export type AgentVersionRow = typeof agentVersionTable.$inferSelect
