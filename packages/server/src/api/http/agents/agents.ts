import { agentDefinition, routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { z } from 'zod'
import { inTeam } from '../../../access/index.ts'
import { readAgentUse } from '../../../agents/index.ts'
import {
  createAgent,
  decideAgent,
  diffAgentVersions,
  getAgent,
  getAgentVersion,
  listAgentProposals,
  listAgents,
  listAgentVersions,
  parseDefinition,
  putAgent,
  removeAgent,
  restoreAgent,
  setAgentStatus,
  type StoredAgent,
} from '../../../registry/index.ts'
import type { Api } from '../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { agents: route } = routes
const schema = z.toJSONSchema(agentDefinition, { io: 'input' }) as Record<string, unknown>

export function mountAgents(app: Hono<Env>, api: Api): void {
  const { database, events, agents } = api
  const { store } = agents
  const describe = async (teamId: string, agent: StoredAgent) => ({
    ...agent,
    needs: await agents.findNeeds(teamId, agent.definition),
    use: await readAgentUse(database, teamId, agent.name),
  })
  const changed = async (teamId: string, agent: StoredAgent) => {
    await events.publish({ teamId, type: 'agent', id: agent.name })
    return describe(teamId, agent)
  }

  mount(app, api, route.schema, async () => schema)

  mount(app, api, route.templates, async ({ caller }) => ({ items: await agents.templates(inTeam(caller).teamId) }))

  mount(app, api, route.validate, async ({ body, caller }) => {
    const { definition, problems } = parseDefinition(body.source)
    if (!definition) return { valid: false, problems, needs: [] }
    return { valid: true, problems, needs: await agents.findNeeds(inTeam(caller).teamId, definition), definition }
  })

  mount(app, api, route.create, async ({ body, caller }) => {
    const team = inTeam(caller)
    return changed(team.teamId, await createAgent(store, team, body))
  })

  mount(app, api, route.list, async ({ query, caller }) => listAgents(database, inTeam(caller).teamId, query))

  mount(app, api, route.get, async ({ params, caller }) => {
    const { teamId } = inTeam(caller)
    return describe(teamId, await getAgent(database, teamId, params.name))
  })

  mount(app, api, route.put, async ({ params, body, caller }) => {
    const team = inTeam(caller)
    return changed(team.teamId, await putAgent(store, team, params.name, body))
  })

  mount(app, api, route.setStatus, async ({ params, body, caller }) => {
    const team = inTeam(caller)
    return changed(team.teamId, await setAgentStatus(store, team, params.name, body))
  })

  mount(app, api, route.remove, async ({ params, caller }) => {
    const team = inTeam(caller)
    await removeAgent(database, team, params.name)
    await events.publish({ teamId: team.teamId, type: 'agent', id: params.name })
  })

  mount(app, api, route.versions, async ({ params, query, caller }) =>
    listAgentVersions(database, inTeam(caller).teamId, params.name, query),
  )

  mount(app, api, route.version, async ({ params, caller }) =>
    getAgentVersion(database, inTeam(caller).teamId, params.name, params.version),
  )

  mount(app, api, route.diff, async ({ params, query, caller }) => ({
    diff: await diffAgentVersions(database, inTeam(caller).teamId, params.name, query),
  }))

  mount(app, api, route.rollback, async ({ params, caller }) => {
    const team = inTeam(caller)
    return changed(team.teamId, await restoreAgent(store, team, params.name, params.version))
  })

  mount(app, api, route.proposals, async ({ params, caller }) => ({
    items: await listAgentProposals(database, inTeam(caller).teamId, params.name),
  }))

  mount(app, api, route.decide, async ({ params, body, caller }) => {
    const team = inTeam(caller)
    return changed(team.teamId, await decideAgent(store, team, params, body))
  })
}
