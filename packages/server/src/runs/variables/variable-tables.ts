import { pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

const coherex = pgSchema('coherex')

/** The same columns for each kind of owner, so that one set of statements does for all. */
function variablesOf(table: string, owner: string) {
  return coherex.table(table, {
    teamId: text('team_id').notNull(),
    owner: text(owner).notNull(),
    name: text('name').notNull(),
    value: text('value').notNull(),
    updatedBy: text('updated_by').notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  })
}

export const workspaceVariableTable = variablesOf('workspace_variable', 'workspace_id')
export const agentVariableTable = variablesOf('agent_variable', 'agent_name')
export const toolVariableTable = variablesOf('tool_variable', 'tool_name')
