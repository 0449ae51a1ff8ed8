import {
  CoherexError,
  type AgentDefinition,
  type AgentNeed,
  type AgentStatus,
  type DefinitionProblem,
} from '@coherex/contract'
import { and, eq, gt } from 'drizzle-orm'
import type { TeamCaller } from '../../access/index.ts'
import type { Database, Transaction } from '../../base/index.ts'
import {
  auditAgent,
  getAgent,
  holdAgent,
  insertVersion,
  selectVersion,
  setAgent,
  setDecision,
  unknownAgent,
} from './agent-store.ts'
import { agentTable, type AgentRow } from './agent-tables.ts'
import { builtInAgents } from './built-in-agents.ts'
import { parseDefinition } from './parse-definition.ts'
import type { StoredAgent } from './stored-agent.ts'

export interface AgentStore {
  database: Database
  /** What a definition still lacks in a team: models, tools and sources are known to rooms above. */
  findNeeds(teamId: string, definition: AgentDefinition): Promise<AgentNeed[]>
  /** Told in the transaction that changes an agent, so that what hangs on it changes with it. */
  changed(transaction: Transaction, caller: TeamCaller, change: AgentChange): Promise<void>
}

export interface AgentChange {
  agent: Pick<StoredAgent, 'name' | 'status' | 'definition'>
  /** Another version is in use, or the caller answers for it from now on. */
  isNewVersion: boolean
  isNewStatus: boolean
}

const agentsPerTeam = 1_000

/** Stores the first version. It becomes active unless it still needs something. */
export async function createAgent(
  { database, findNeeds, changed }: AgentStore,
  caller: TeamCaller,
  { source, note, status }: { source: string; note: string; status?: 'draft' | 'active' | undefined },
): Promise<StoredAgent> {
  const { teamId } = caller
  const definition = requireDefinition(source)
  const { name } = definition
  const needs = await findNeeds(teamId, definition)
  if (status === 'active') refuseNeeds(name, needs)
  const initial = status ?? (needs.length > 0 ? 'draft' : 'active')
  await database.transaction({ team: teamId }, async (transaction) => {
    const held = await holdOrInsert(transaction, caller, name)
    if (held.version > 0) throw new CoherexError('conflict', `There is an agent "${name}" already`)
    const { version } = await insertVersion(transaction, caller, { definition, source, note, state: 'approved' })
    const wasActive = held.wasActive || initial === 'active'
    await setAgent(transaction, held, { status: initial, version, wasActive })
    await auditAgent(transaction, caller, { action: 'agent.create', name, details: { status: initial } })
    await changed(transaction, caller, {
      agent: { name, status: initial, definition },
      isNewVersion: true,
      isNewStatus: false,
    })
  })
  return getAgent(database, teamId, name)
}

/** Stores a new version; what runs already goes on with the one it began with. */
export async function putAgent(
  { database, findNeeds, changed }: AgentStore,
  caller: TeamCaller,
  name: string,
  { source, note, expectedVersion }: { source: string; note: string; expectedVersion?: number | undefined },
): Promise<StoredAgent> {
  const { teamId } = caller
  await getAgent(database, teamId, name)
  const definition = requireDefinition(source)
  if (definition.name !== name) {
    throw invalidDefinition([{ message: `must be "${name}": an agent keeps its name`, path: 'name' }])
  }
  const needs = await findNeeds(teamId, definition)
  await database.transaction({ team: teamId }, async (transaction) => {
    const row = await holdOwn(transaction, teamId, name)
    if (expectedVersion !== undefined) refuseOther(row, expectedVersion)
    if (row.status === 'active') refuseNeeds(name, needs)
    const { version } = await insertVersion(transaction, caller, { definition, source, note, state: 'approved' })
    const { status } = await setAgent(transaction, row, { version })
    await auditAgent(transaction, caller, { action: 'agent.change', name, details: { version } })
    await changed(transaction, caller, { agent: { name, status, definition }, isNewVersion: true, isNewStatus: false })
  })
  return getAgent(database, teamId, name)
}

/** Stores a version again that was in use. What was proposed and never accepted is not brought in that way. */
export async function restoreAgent(
  store: AgentStore,
  caller: TeamCaller,
  name: string,
  version: number,
): Promise<StoredAgent> {
  const { source, state } = await store.database.transaction({ team: caller.teamId }, (transaction) =>
    selectVersion(transaction, caller.teamId, name, version),
  )
  if (state === 'proposed' || state === 'rejected') {
    throw new CoherexError('conflict', `Version ${version} of "${name}" is ${state}: it was never in use`)
  }
  return putAgent(store, caller, name, { source, note: `Back to version ${version}` })
}

export async function setAgentStatus(
  store: AgentStore,
  caller: TeamCaller,
  name: string,
  { status, expectedVersion }: { status: AgentStatus; expectedVersion?: number | undefined },
): Promise<StoredAgent> {
  const { database, findNeeds } = store
  const { teamId } = caller
  const before = await getAgent(database, teamId, name)
  if (before.isBuiltIn) throw new CoherexError('conflict', `"${name}" comes with Coherex: store your own to change it`)
  if (status === 'active') refuseNeeds(name, await findNeeds(teamId, before.definition))
  await database.transaction({ team: teamId }, async (transaction) => {
    const row = await holdOwn(transaction, teamId, name)
    refuseOther(row, expectedVersion ?? before.version)
    const version = await selectVersion(transaction, teamId, name, row.version)
    const { definition, byAgent } = version
    const isAccepted = status === 'active' && version.state === 'draft'
    if (isAccepted && caller.via !== 'session') {
      throw new CoherexError('forbidden', `The agent "${byAgent}" wrote "${name}": a signed-in person activates it`)
    }
    if (isAccepted) await setDecision(transaction, caller, version, { state: 'approved', note: '' })
    await setAgent(transaction, row, { status, wasActive: row.wasActive || status === 'active' })
    const details = { from: row.status, to: status, ...(isAccepted && { version: row.version, agent: byAgent }) }
    await auditAgent(transaction, caller, { action: 'agent.status', name, details })
    await store.changed(transaction, caller, {
      agent: { name, status, definition },
      isNewVersion: isAccepted,
      isNewStatus: status !== row.status,
    })
  })
  return getAgent(database, teamId, name)
}

export async function removeAgent(database: Database, caller: TeamCaller, name: string): Promise<void> {
  await database.transaction({ team: caller.teamId }, async (transaction) => {
    const [row] = await transaction
      .delete(agentTable)
      .where(and(eq(agentTable.teamId, caller.teamId), eq(agentTable.name, name), gt(agentTable.version, 0)))
      .returning()
    if (!row) throw unknownAgent(name)
    await auditAgent(transaction, caller, { action: 'agent.delete', name })
  })
}

export function requireDefinition(source: string): AgentDefinition {
  const { definition, problems } = parseDefinition(source)
  if (!definition) throw invalidDefinition(problems)
  return definition
}

/** The row of that name, or one without a version in use. A built-in agent counts as one that was active. */
export async function holdOrInsert(
  transaction: Transaction,
  { teamId, person }: TeamCaller,
  name: string,
): Promise<AgentRow> {
  const count = await transaction.$count(agentTable, eq(agentTable.teamId, teamId))
  const isBuiltIn = builtInAgents.has(name)
  const held = await holdAgent(transaction, teamId, name)
  if (held) return held
  if (count >= agentsPerTeam) {
    throw new CoherexError('quota_exceeded', `Cannot make another agent: the team has ${count} already`)
  }
  const author = { createdBy: person.id, createdByName: person.name }
  const status = isBuiltIn ? 'active' : 'draft'
  await transaction
    .insert(agentTable)
    .values({ teamId, name, version: 0, status, wasActive: isBuiltIn, ...author })
    .onConflictDoNothing()
  const row = await holdAgent(transaction, teamId, name)
  if (!row) throw new Error('the agent was not stored')
  return row
}

async function holdOwn(transaction: Transaction, teamId: string, name: string): Promise<AgentRow> {
  const row = await holdAgent(transaction, teamId, name)
  if (row && row.version > 0) return row
  if (builtInAgents.has(name)) {
    throw new CoherexError('conflict', `"${name}" comes with Coherex: create an agent of that name to have your own`)
  }
  throw unknownAgent(name)
}

function refuseOther({ name, version }: AgentRow, expected: number): void {
  if (version === expected) return
  throw new CoherexError('conflict', `"${name}" is at version ${version} already, not ${expected}`)
}

function invalidDefinition(problems: DefinitionProblem[]): CoherexError {
  const [first] = problems
  const where = first?.line ? `line ${first.line}: ` : ''
  const what = first ? [first.path, first.message].filter(Boolean).join(' ') : 'is not valid'
  return new CoherexError('invalid_input', `The definition is not valid: ${where}${what}`, { details: problems })
}

export function refuseNeeds(name: string, needs: AgentNeed[]): void {
  const [first] = needs
  if (first) throw new CoherexError('conflict', `"${name}" cannot be active yet: ${first.message}`, { details: needs })
}
