import { CoherexError, type AgentDefinition, type AgentNeed } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import { ownedBy } from '../definition/create-holding.ts'
import { textKind } from '../definition/text-kind.ts'
import { agentTable, agentVersionTable, type AgentRow } from './agent-tables.ts'
import { builtInAgents } from './built-in-agents.ts'
import { describeNewly } from './describe-newly.ts'
import type { StoredAgent } from './stored-agent.ts'

export interface AgentDeps {
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

export const agentKind = ({ findNeeds, changed }: AgentDeps) =>
  textKind<AgentRow, AgentDefinition>({
    noun: 'agent',
    heads: agentTable,
    versions: agentVersionTable,
    ownedBy,
    // a built-in agent counts as one that was active
    begin: (name) => {
      const isBuiltIn = builtInAgents.has(name)
      return { version: 0, status: isBuiltIn ? 'active' : 'draft', wasActive: isBuiltIn }
    },
    builtIn: (name) => builtInAgents.get(name),
    describeNewly: (before, after) => (before ? describeNewly(before.definition, after.definition) : []),
    findNeeds: (teamId, { definition }) => findNeeds(teamId, definition),
    admit: (_, { name }, { head, needs }) => {
      if (head.status === 'active') refuseNeeds(name, needs)
    },
    async changed(transaction, caller, { name, status, reach }, { definition }) {
      if (reach === 'private' && definition.triggers?.length)
        throw new CoherexError('conflict', `The agent "${name}" is private: ${noTriggers}`)
      await changed(transaction, caller, {
        ...{ agent: { name, status, definition }, isNewVersion: true, isNewStatus: false },
      })
    },
  })

export const noTriggers =
  'what its triggers are sent is the team’s. Take them out of the definition, or share it with the team'

export function refuseNeeds(name: string, needs: { message: string }[]): void {
  const [first] = needs
  if (first) throw new CoherexError('conflict', `"${name}" cannot be active yet: ${first.message}`, { details: needs })
}
