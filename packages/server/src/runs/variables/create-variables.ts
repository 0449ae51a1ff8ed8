import { CoherexError, type OwnedVariable, type Page, type Variable } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Database, EventBus } from '../../base/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'
import { listAllVariables, type AllVariablesQuery } from './list-all-variables.ts'
import { listVariables, putVariable, removeVariable, type VariableOwner } from './variables.ts'

export interface VariablesDeps {
  database: Database
  events: Pick<EventBus, 'publish'>
  workspaces: Pick<Workspaces, 'get'>
  /** Throws where the team has no such agent. */
  findAgent(teamId: string, name: string): Promise<{ isBuiltIn: boolean }>
  /** Throws where the team has no such tool. */
  findTool(teamId: string, name: string): Promise<unknown>
}

/** An owner as a request names it. */
export type NamedOwner = { workspace: string } | { agent: string } | { tool: string }

export type Variables = ReturnType<typeof createVariables>

/** Environment variables of workspaces, agents and tools, for doors. */
export function createVariables({ database, events, workspaces, findAgent, findTool }: VariablesDeps) {
  async function find(teamId: string, named: NamedOwner): Promise<VariableOwner & { isBuiltIn: boolean }> {
    if ('workspace' in named) {
      const { name } = await workspaces.get(teamId, named.workspace)
      return { kind: 'workspace', id: named.workspace, name, isBuiltIn: false }
    }
    if ('tool' in named) {
      await findTool(teamId, named.tool)
      return { kind: 'tool', id: named.tool, name: named.tool, isBuiltIn: false }
    }
    const { isBuiltIn } = await findAgent(teamId, named.agent)
    return { kind: 'agent', id: named.agent, name: named.agent, isBuiltIn }
  }

  return {
    listAll(teamId: string, query: AllVariablesQuery): Promise<Page<OwnedVariable>> {
      return listAllVariables(database, teamId, query)
    },

    async list(teamId: string, named: NamedOwner): Promise<Variable[]> {
      return listVariables(database, teamId, await find(teamId, named))
    },

    async put(caller: TeamCaller, named: NamedOwner, variable: { name: string; value: string }): Promise<Variable> {
      const owner = await find(caller.teamId, named)
      if (owner.isBuiltIn) {
        throw new CoherexError('conflict', `"${owner.name}" comes with Coherex: store your own to set its variables`)
      }
      return putVariable({ database, events }, caller, owner, variable)
    },

    async remove(caller: TeamCaller, named: NamedOwner, name: string): Promise<void> {
      await removeVariable({ database, events }, caller, await find(caller.teamId, named), name)
    },
  }
}
