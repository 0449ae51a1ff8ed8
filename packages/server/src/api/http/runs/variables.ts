import { CoherexError, routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import { getAgent } from '../../../registry/index.ts'
import { listVariables, putVariable, removeVariable, type VariableOwner } from '../../../runs/index.ts'
import type { Api } from '../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { variables: route } = routes

/** Environment variables of workspaces and agents. */
export function mountVariables(app: Hono<Env>, api: Api): void {
  const { database, workspaces } = api
  const workspaceOf = async (teamId: string, id: string): Promise<VariableOwner> => {
    const { name } = await workspaces.get(teamId, id)
    return { kind: 'workspace', id, name }
  }
  const agentOf = async (teamId: string, name: string) => {
    const { isBuiltIn } = await getAgent(database, teamId, name)
    return { kind: 'agent' as const, id: name, name, isBuiltIn }
  }

  mount(app, api, route.listOfWorkspace, async ({ params, caller }) => {
    const { teamId } = inTeam(caller)
    return { items: await listVariables(database, teamId, await workspaceOf(teamId, params.id)) }
  })
  mount(app, api, route.putOfWorkspace, async ({ params, body, caller }) => {
    const team = inTeam(caller)
    const owner = await workspaceOf(team.teamId, params.id)
    return putVariable(api, team, owner, { name: params.variable, value: body.value })
  })
  mount(app, api, route.removeOfWorkspace, async ({ params, caller }) => {
    const team = inTeam(caller)
    await removeVariable(api, team, await workspaceOf(team.teamId, params.id), params.variable)
  })

  mount(app, api, route.listOfAgent, async ({ params, caller }) => {
    const { teamId } = inTeam(caller)
    return { items: await listVariables(database, teamId, await agentOf(teamId, params.name)) }
  })
  mount(app, api, route.putOfAgent, async ({ params, body, caller }) => {
    const team = inTeam(caller)
    const owner = await agentOf(team.teamId, params.name)
    if (owner.isBuiltIn) {
      throw new CoherexError('conflict', `"${params.name}" comes with Coherex: store your own to set its variables`)
    }
    return putVariable(api, team, owner, { name: params.variable, value: body.value })
  })
  mount(app, api, route.removeOfAgent, async ({ params, caller }) => {
    const team = inTeam(caller)
    await removeVariable(api, team, await agentOf(team.teamId, params.name), params.variable)
  })
}
