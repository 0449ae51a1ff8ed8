import {
  CoherexError,
  type AgentDefinition,
  type AgentNeed,
  type AgentStatus,
  type DefinitionProblem,
} from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database, Transaction } from '../../base/index.ts'
import { agentTable, agentVersionTable } from './agent-tables.ts'
import { builtInAgents } from './built-in-agents.ts'
import { parseDefinition } from './parse-definition.ts'
import { toBuiltIn, toStoredAgent, type StoredAgent } from './stored-agent.ts'

export interface AgentStore {
  database: Database
  /** What a definition still lacks in a team: models, tools and sources are known to rooms above. */
  findNeeds(teamId: string, definition: AgentDefinition): Promise<AgentNeed[]>
  /** Told in the transaction that changes an agent, so that what hangs on it changes with it. */
  changed(transaction: Transaction, caller: TeamCaller, change: AgentChange): Promise<void>
}

export interface AgentChange {
  agent: StoredAgent
  /** A version was stored; else only the status changed. */
  isNewVersion: boolean
}

const agentsPerTeam = 1_000

/** Stores the first version. It becomes active unless it still needs something. */
export async function createAgent(
  { database, findNeeds, changed }: AgentStore,
  caller: TeamCaller,
  { source, note, status }: { source: string; note: string; status?: 'draft' | 'active' | undefined },
): Promise<StoredAgent> {
  const definition = requireDefinition(source)
  const needs = await findNeeds(caller.teamId, definition)
  if (status === 'active') refuseNeeds(definition.name, needs)
  const initial = status ?? (needs.length > 0 ? 'draft' : 'active')
  return database.transaction({ team: caller.teamId }, async (transaction) => {
    const count = await transaction.$count(agentTable, eq(agentTable.teamId, caller.teamId))
    if (count >= agentsPerTeam) {
      throw new CoherexError('quota_exceeded', `Cannot make another agent: the team has ${count} already`)
    }
    const author = { createdBy: caller.person.id, createdByName: caller.person.name }
    const [row] = await transaction
      .insert(agentTable)
      .values({ teamId: caller.teamId, name: definition.name, status: initial, version: 1, ...author })
      .onConflictDoNothing()
      .returning()
    if (!row) throw new CoherexError('conflict', `There is an agent "${definition.name}" already`)
    const version = await insertVersion(transaction, caller, { definition, source, note, version: 1 })
    await audit(transaction, caller, 'agent.create', definition.name, { status: initial })
    const agent = toStoredAgent(row, version)
    await changed(transaction, caller, { agent, isNewVersion: true })
    return agent
  })
}

/** Stores a new version; what runs already goes on with the one it began with. */
export async function putAgent(
  { database, findNeeds, changed }: AgentStore,
  caller: TeamCaller,
  name: string,
  { source, note, expectedVersion }: { source: string; note: string; expectedVersion?: number | undefined },
): Promise<StoredAgent> {
  await getAgent(database, caller.teamId, name)
  const definition = requireDefinition(source)
  if (definition.name !== name) {
    throw invalidDefinition([{ message: `must be "${name}": an agent keeps its name`, path: 'name' }])
  }
  const needs = await findNeeds(caller.teamId, definition)
  return database.transaction({ team: caller.teamId }, async (transaction) => {
    const row = await lockAgent(transaction, caller.teamId, name)
    if (expectedVersion !== undefined && expectedVersion !== row.version) {
      throw new CoherexError('conflict', `"${name}" is at version ${row.version} already, not ${expectedVersion}`)
    }
    if (row.status === 'active') refuseNeeds(name, needs)
    const version = await insertVersion(transaction, caller, { definition, source, note, version: row.version + 1 })
    const [updated] = await transaction
      .update(agentTable)
      .set({ version: version.version, updatedAt: new Date() })
      .where(and(eq(agentTable.teamId, caller.teamId), eq(agentTable.name, name)))
      .returning()
    await audit(transaction, caller, 'agent.change', name, { version: version.version })
    const agent = toStoredAgent(updated ?? row, version)
    await changed(transaction, caller, { agent, isNewVersion: true })
    return agent
  })
}

export async function setAgentStatus(
  store: AgentStore,
  caller: TeamCaller,
  name: string,
  status: AgentStatus,
): Promise<StoredAgent> {
  const { database, findNeeds } = store
  const before = await getAgent(database, caller.teamId, name)
  if (before.isBuiltIn) throw new CoherexError('conflict', `"${name}" comes with Coherex: store your own to change it`)
  if (status === 'active') refuseNeeds(name, await findNeeds(caller.teamId, before.definition))
  await database.transaction({ team: caller.teamId }, async (transaction) => {
    await transaction
      .update(agentTable)
      .set({ status, updatedAt: new Date() })
      .where(and(eq(agentTable.teamId, caller.teamId), eq(agentTable.name, name)))
    await audit(transaction, caller, 'agent.status', name, { from: before.status, to: status })
    if (status !== before.status) {
      await store.changed(transaction, caller, { agent: { ...before, status }, isNewVersion: false })
    }
  })
  return getAgent(database, caller.teamId, name)
}

export async function removeAgent(database: Database, caller: TeamCaller, name: string): Promise<void> {
  await database.transaction({ team: caller.teamId }, async (transaction) => {
    const [row] = await transaction
      .delete(agentTable)
      .where(and(eq(agentTable.teamId, caller.teamId), eq(agentTable.name, name)))
      .returning()
    if (!row) throw unknownAgent(name)
    await audit(transaction, caller, 'agent.delete', name)
  })
}

/** The newest version, or the one asked for. Version 0 is what comes with the product. */
export async function getAgent(
  database: Database,
  teamId: string,
  name: string,
  version?: number,
): Promise<StoredAgent> {
  const found = await database.transaction({ team: teamId }, async (transaction) => {
    const [row] = await transaction
      .select()
      .from(agentTable)
      .innerJoin(
        agentVersionTable,
        and(
          eq(agentVersionTable.teamId, agentTable.teamId),
          eq(agentVersionTable.agentName, agentTable.name),
          eq(agentVersionTable.version, version ?? agentTable.version),
        ),
      )
      .where(and(eq(agentTable.teamId, teamId), eq(agentTable.name, name)))
    return row
  })
  if (found) return toStoredAgent(found.agent, found.agent_version)
  const builtIn = builtInAgents.get(name)
  if (builtIn && !version) return toBuiltIn(builtIn)
  throw unknownAgent(name)
}

function requireDefinition(source: string): AgentDefinition {
  const { definition, problems } = parseDefinition(source)
  if (!definition) throw invalidDefinition(problems)
  return definition
}

function unknownAgent(name: string): CoherexError {
  return new CoherexError('not_found', `There is no agent "${name}"`)
}

async function lockAgent(transaction: Transaction, teamId: string, name: string) {
  const [row] = await transaction
    .select()
    .from(agentTable)
    .where(and(eq(agentTable.teamId, teamId), eq(agentTable.name, name)))
    .for('update')
  if (row) return row
  if (builtInAgents.has(name)) {
    throw new CoherexError('conflict', `"${name}" comes with Coherex: create an agent of that name to have your own`)
  }
  throw unknownAgent(name)
}

async function insertVersion(
  transaction: Transaction,
  caller: TeamCaller,
  version: { definition: AgentDefinition; source: string; note: string; version: number },
) {
  const { definition, ...rest } = version
  const author = { createdBy: caller.person.id, createdByName: caller.person.name }
  const values = { teamId: caller.teamId, agentName: definition.name, definition, ...rest, ...author }
  const [row] = await transaction.insert(agentVersionTable).values(values).returning()
  if (!row) throw new Error('the version was not stored')
  return row
}

function invalidDefinition(problems: DefinitionProblem[]): CoherexError {
  const [first] = problems
  const where = first?.line ? `line ${first.line}: ` : ''
  const what = first ? [first.path, first.message].filter(Boolean).join(' ') : 'is not valid'
  return new CoherexError('invalid_input', `The definition is not valid: ${where}${what}`, { details: problems })
}

function refuseNeeds(name: string, needs: AgentNeed[]): void {
  const [first] = needs
  if (first) throw new CoherexError('conflict', `"${name}" cannot be active yet: ${first.message}`, { details: needs })
}

async function audit(
  transaction: Transaction,
  caller: TeamCaller,
  action: string,
  name: string,
  details?: Record<string, unknown>,
): Promise<void> {
  const target = { kind: 'agent', name }
  await recordAudit(transaction, { teamId: caller.teamId, actor: caller, action, target, ...(details && { details }) })
}
