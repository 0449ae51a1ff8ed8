import { CoherexError, type AgentDefinition, type AgentVersionState } from '@coherex/contract'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database, Transaction } from '../../base/index.ts'
import { agentTable, agentVersionTable, type AgentRow, type AgentVersionRow } from './agent-tables.ts'
import { builtInAgents } from './built-in-agents.ts'
import { toBuiltIn, toStoredAgent, type StoredAgent } from './stored-agent.ts'

/** The agent that writes a version, and the turn it does that in. */
export interface AgentAuthor {
  name: string
  threadId: string
  turnId: string
}

/** Of a query over agents, which are named outright: a column alone would be taken for one of the inner query. */
export const counts = {
  newestVersion: sql<number>`(SELECT coalesce(max(v.version), 0) FROM coherex.agent_version v
    WHERE v.team_id = agent.team_id AND v.agent_name = agent.name)`,
  proposals: sql<number>`(SELECT count(*)::int FROM coherex.agent_version v
    WHERE v.team_id = agent.team_id AND v.agent_name = agent.name AND v.state = 'proposed')`,
}

/** The version in use, or one that was. Version 0 is what comes with the product. */
export async function getAgent(
  database: Database,
  teamId: string,
  name: string,
  version?: number,
): Promise<StoredAgent> {
  const [found] = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({ row: agentTable, version: agentVersionTable, ...counts })
      .from(agentTable)
      .leftJoin(
        agentVersionTable,
        and(
          eq(agentVersionTable.teamId, agentTable.teamId),
          eq(agentVersionTable.agentName, agentTable.name),
          eq(agentVersionTable.version, version ?? agentTable.version),
          // twice said: nothing that nobody accepted comes out of here
          inArray(agentVersionTable.state, ['approved', 'draft']),
        ),
      )
      .where(and(eq(agentTable.teamId, teamId), eq(agentTable.name, name))),
  )
  if (found?.version) return toStoredAgent(found.row, found.version, found)
  const builtIn = builtInAgents.get(name)
  if (builtIn && !version) return toBuiltIn(builtIn, found)
  throw unknownAgent(name)
}

/** The row of an agent, held until the transaction ends. One at version 0 only holds proposals for a built-in agent. */
export async function holdAgent(transaction: Transaction, teamId: string, name: string): Promise<AgentRow | undefined> {
  const [row] = await transaction
    .select()
    .from(agentTable)
    .where(and(eq(agentTable.teamId, teamId), eq(agentTable.name, name)))
    .for('update')
  return row
}

/** As it is now, of an agent that is held. */
export async function setAgent(
  transaction: Transaction,
  { teamId, name }: AgentRow,
  changes: Partial<AgentRow>,
): Promise<AgentRow> {
  const [row] = await transaction
    .update(agentTable)
    .set({ ...changes, updatedAt: new Date() })
    .where(and(eq(agentTable.teamId, teamId), eq(agentTable.name, name)))
    .returning()
  if (!row) throw new Error('the agent was not held')
  return row
}

export async function selectVersion(
  transaction: Transaction,
  teamId: string,
  name: string,
  version: number,
): Promise<AgentVersionRow> {
  const [row] = await transaction
    .select()
    .from(agentVersionTable)
    .where(isVersion(teamId, name, version))
  if (!row) throw new CoherexError('not_found', `"${name}" has no version ${version}`)
  return row
}

/** Stores the next version of an agent that is held. */
export async function insertVersion(
  transaction: Transaction,
  { teamId, person }: TeamCaller,
  made: {
    definition: AgentDefinition
    source: string
    note: string
    state: AgentVersionState
    agent?: AgentAuthor | undefined
  },
): Promise<AgentVersionRow> {
  const { definition, source, note, state, agent } = made
  const [last] = await transaction
    .select({ version: sql<number | null>`max(version)` })
    .from(agentVersionTable)
    .where(and(eq(agentVersionTable.teamId, teamId), eq(agentVersionTable.agentName, definition.name)))
  const [row] = await transaction
    .insert(agentVersionTable)
    .values({
      ...{ teamId, agentName: definition.name, version: (last?.version ?? 0) + 1, definition, source, note, state },
      createdBy: person.id,
      createdByName: person.name,
      byAgent: agent?.name ?? null,
      threadId: agent?.threadId ?? null,
      turnId: agent?.turnId ?? null,
    })
    .returning()
  if (!row) throw new Error('the version was not stored')
  return row
}

/** Writes down what a person made of a version that an agent wrote. */
export async function setDecision(
  transaction: Transaction,
  { person }: TeamCaller,
  { teamId, agentName, version }: AgentVersionRow,
  { state, note }: { state: 'approved' | 'rejected'; note: string },
): Promise<AgentVersionRow> {
  const decision = { decidedBy: person.id, decidedByName: person.name, decidedAt: new Date(), decisionNote: note }
  const [row] = await transaction
    .update(agentVersionTable)
    .set({ state, ...decision })
    .where(isVersion(teamId, agentName, version))
    .returning()
  if (!row) throw new Error('the version is gone')
  return row
}

function isVersion(teamId: string, name: string, version: number) {
  return and(
    eq(agentVersionTable.teamId, teamId),
    eq(agentVersionTable.agentName, name),
    eq(agentVersionTable.version, version),
  )
}

export function unknownAgent(name: string): CoherexError {
  return new CoherexError('not_found', `There is no agent "${name}"`)
}

/** Names the agent where one acts, and for whom. */
export async function auditAgent(
  transaction: Transaction,
  caller: TeamCaller,
  entry: { action: string; name: string; details?: Record<string, unknown>; by?: AgentAuthor | undefined },
): Promise<void> {
  const { action, name, details = {}, by } = entry
  await recordAudit(transaction, {
    teamId: caller.teamId,
    actor: by ? { kind: 'agent', id: by.name, name: by.name } : caller,
    action,
    target: { kind: 'agent', name },
    details: { ...details, ...(by && { turnId: by.turnId, threadId: by.threadId, for: caller.person.name }) },
  })
}
