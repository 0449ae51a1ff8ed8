import {
  CoherexError,
  type AgentProposal,
  type AgentStatus,
  type AgentSummary,
  type AgentVersion,
  type Page,
} from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import { createDefinitions, type Decision, type DefinitionDeps } from '../definition/create-definitions.ts'
import { createHolding } from '../definition/create-holding.ts'
import type { AgentAuthor } from '../definition/definition-kind.ts'
import type { VersionName } from '../definition/definition-store.ts'
import { describeVersion } from '../definition/describe-version.ts'
import { tellWhoSees } from '../definition/tell-who-sees.ts'
import { agentKind, noTriggers, refuseNeeds, type AgentDeps } from './agent-kind.ts'
import { getAgent } from './agent-store.ts'
import { agentTable, type AgentRow } from './agent-tables.ts'
import { builtInAgents } from './built-in-agents.ts'
import { listAgents, type AgentFilters } from './list-agents.ts'
import { invalidDefinition, requireDefinition } from './require-definition.ts'
import type { StoredAgent } from './stored-agent.ts'

interface NewAgentVersion {
  source: string
  note: string
}

/** Agents of teams: what they are, their versions, and what agents propose for them. */
export function createAgentRegistry(deps: DefinitionDeps & AgentDeps) {
  const { database, findNeeds } = deps
  const verbs = createDefinitions(agentKind(deps), { database, events: tellWhoSees(deps, agentTable) })
  const { store } = verbs
  const get = (teamId: string, name: string): Promise<StoredAgent> => getAgent(database, teamId, name)

  /** A head at version 0 only holds proposals for a built-in agent. */
  function requireOwn({ name, version }: AgentRow): void {
    if (version > 0) return
    if (!builtInAgents.has(name)) throw store.unknown(name)
    throw new CoherexError('conflict', `"${name}" comes with Coherex: create an agent of that name to have your own`)
  }

  const holding = createHolding(verbs, {
    noun: 'agent',
    events: deps.events,
    async whyNotPrivate(transaction, head) {
      requireOwn(head)
      const { definition } = await store.selectVersion(transaction, head.teamId, head)
      return definition.triggers?.length ? noTriggers : undefined
    },
  })

  /** Stores a new version; what runs already goes on with the one it began with. */
  async function put(
    caller: TeamCaller,
    name: string,
    { source, note, expectedVersion }: NewAgentVersion & { expectedVersion?: number | undefined },
  ): Promise<StoredAgent> {
    const { teamId } = caller
    await get(teamId, name)
    const definition = requireDefinition(source)
    if (definition.name !== name) {
      throw invalidDefinition([{ message: `must be "${name}": an agent keeps its name`, path: 'name' }])
    }
    const needs = await findNeeds(teamId, definition)
    await verbs.storeVersion(
      caller,
      { name, content: { source, definition }, note },
      {
        state: () => 'approved',
        async check(_, head) {
          requireOwn(head)
          if (expectedVersion !== undefined) refuseOther(head, expectedVersion)
          if (head.status === 'active') refuseNeeds(name, needs)
        },
      },
    )
    return get(teamId, name)
  }

  return {
    get,
    put,
    findNeeds,
    list: (teamId: string, filters: AgentFilters): Promise<Page<AgentSummary>> => listAgents(database, teamId, filters),
    diff: verbs.diffVersions,
    setOwner: holding.setOwner,
    setReach: holding.setReach,
    remove: (caller: TeamCaller, name: string): Promise<void> =>
      verbs.remove(caller, name, async (_, head) => holding.refuseOthers(caller, head, 'delete')),

    /** Stores the first version. It becomes active unless it still needs something. */
    async create(
      caller: TeamCaller,
      { source, note, status }: NewAgentVersion & { status?: 'draft' | 'active' | undefined },
    ): Promise<StoredAgent> {
      const { teamId } = caller
      const definition = requireDefinition(source)
      const { name } = definition
      const needs = await findNeeds(teamId, definition)
      if (status === 'active') refuseNeeds(name, needs)
      const initial = status ?? (needs.length > 0 ? 'draft' : 'active')
      await verbs.storeVersion(
        caller,
        { name, content: { source, definition }, note },
        {
          state: () => 'approved',
          async check(_, { version }) {
            if (version > 0) throw new CoherexError('conflict', `There is an agent "${name}" already`)
          },
          columns: ({ wasActive }) => ({ status: initial, wasActive: wasActive || initial === 'active' }),
          details: { status: initial },
        },
      )
      return get(teamId, name)
    },

    /**
     * What an agent writes to a definition. One that was never active, and that nobody can run, is a draft and takes it as
     * it is; for any other it is a proposal, and what is in use stays in use until a person accepts it.
     */
    async propose(caller: TeamCaller, { source, note, agent }: NewAgentVersion & { agent: AgentAuthor }) {
      const definition = requireDefinition(source)
      return verbs.storeVersion(
        caller,
        { name: definition.name, content: { source, definition }, note, agent },
        { state: ({ status, wasActive }) => (status === 'draft' && !wasActive ? 'draft' : 'proposed') },
      )
    },

    async setStatus(
      caller: TeamCaller,
      name: string,
      { status, expectedVersion }: { status: AgentStatus; expectedVersion?: number | undefined },
    ): Promise<StoredAgent> {
      const { teamId } = caller
      const before = await get(teamId, name)
      if (before.isBuiltIn) {
        throw new CoherexError('conflict', `"${name}" comes with Coherex: store your own to change it`)
      }
      if (status === 'active') refuseNeeds(name, await findNeeds(teamId, before.definition))
      await verbs.change(caller, name, async (transaction) => {
        const head = await store.holdHead(transaction, teamId, name)
        requireOwn(head)
        refuseOther(head, expectedVersion ?? before.version)
        const version = await store.selectVersion(transaction, teamId, head)
        const { definition, byAgent } = version
        const isAccepted = status === 'active' && version.state === 'draft'
        if (isAccepted && caller.via !== 'session') {
          throw new CoherexError('forbidden', `The agent "${byAgent}" wrote "${name}": a signed-in person activates it`)
        }
        if (isAccepted) await store.setDecision(transaction, caller, version, { state: 'approved', note: '' })
        await store.setHead(transaction, head, { status, wasActive: head.wasActive || status === 'active' })
        const details = { from: head.status, to: status, ...(isAccepted && { version: head.version, agent: byAgent }) }
        await store.audit(transaction, caller, { verb: 'status', name, details })
        await deps.changed(transaction, caller, {
          agent: { name, status, definition },
          isNewVersion: isAccepted,
          isNewStatus: status !== head.status,
        })
      })
      return get(teamId, name)
    },

    async versions(teamId: string, name: string, page: { limit: number; cursor?: string | undefined }) {
      const { items, ...rest } = await verbs.listVersions(teamId, name, page)
      return { ...rest, items: items.map(toVersion) }
    },

    async version(teamId: string, at: VersionName): Promise<AgentVersion & { source: string }> {
      const { version, content } = await verbs.readVersion(teamId, at)
      return { ...toVersion(version), source: content.source }
    },

    async proposals(teamId: string, name: string): Promise<AgentProposal[]> {
      const proposals = await verbs.listProposals(teamId, name)
      return proposals.map(({ version, content, ...seen }) => ({
        ...toVersion(version),
        source: content.source,
        ...seen,
      }))
    },

    async decide(caller: TeamCaller, at: VersionName, decision: Decision): Promise<StoredAgent> {
      await verbs.decide(caller, at, decision)
      return get(caller.teamId, at.name)
    },

    restore: (caller: TeamCaller, at: VersionName): Promise<StoredAgent> =>
      verbs.restore(caller, at, ({ name, content, note }) => put(caller, name, { source: content.source, note })),
  }
}

function toVersion(row: Parameters<typeof describeVersion>[0]): AgentVersion {
  return { ...describeVersion(row), state: row.state, turnId: row.turnId ?? null }
}

function refuseOther({ name, version }: AgentRow, expected: number): void {
  if (version === expected) return
  throw new CoherexError('conflict', `"${name}" is at version ${version} already, not ${expected}`)
}
