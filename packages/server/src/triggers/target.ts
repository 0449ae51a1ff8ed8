import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../base/index.ts'
import { getAgent, readToolStatus } from '../registry/index.ts'
import type { StoredTrigger } from './tables.ts'

/** What a trigger starts: an agent or a tool. */
export type Target = { agentName: string; toolName?: undefined } | { toolName: string; agentName?: undefined }

export function targetOf({ agentName, toolName }: Pick<StoredTrigger, 'agentName' | 'toolName'>): Target {
  if (agentName !== null) return { agentName }
  if (toolName !== null) return { toolName }
  throw new Error('a trigger starts nothing')
}

export const nameOf = ({ agentName, toolName }: Pick<StoredTrigger, 'agentName' | 'toolName'>): string =>
  agentName ?? toolName ?? ''

/** Rows of a table with both columns that are of one target. */
export const isOf = ({ agentName, toolName }: Target) =>
  agentName === undefined ? sql`tool_name = ${toolName}` : sql`agent_name = ${agentName}`

/** Why its triggers rest; undefined while they fire. Throws where there is no such agent or tool. */
export async function restingOf(database: Database, teamId: string, target: Target): Promise<string | undefined> {
  if (target.agentName !== undefined) {
    const { status } = await getAgent(database, teamId, target.agentName)
    return status === 'active' ? undefined : `The agent is ${status === 'draft' ? 'a draft' : status}`
  }
  const status = await readToolStatus(database, teamId, target.toolName)
  return isCallable(status) ? undefined : `The tool is ${status === 'draft' ? 'not published yet' : status}`
}

const isCallable = (status: string) => status === 'published' || status === 'deprecated'

/** A row of `coherex.trigger` whose agent is active, or whose tool is published. */
export const isAwake = (teamId: string) => sql`(
  EXISTS (SELECT 1 FROM coherex.agent WHERE agent.team_id = ${teamId} AND agent.name = agent_name AND agent.status = 'active')
  OR EXISTS (SELECT 1 FROM coherex.tool WHERE tool.team_id = ${teamId} AND tool.name = tool_name
    AND tool.active_version IS NOT NULL AND tool.unpublished_at IS NULL))`

export async function isTriggerAwake(transaction: Transaction, { teamId, id }: StoredTrigger): Promise<boolean> {
  const { rows } = await transaction.execute(
    sql`SELECT 1 FROM coherex.trigger WHERE team_id = ${teamId} AND id = ${id} AND ${isAwake(teamId)}`,
  )
  return rows.length > 0
}
