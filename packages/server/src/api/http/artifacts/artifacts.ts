import { routes, type Run } from '@coherex/contract'
import type { Context, Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { LiveRun } from '../../../runs/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { artifacts: route } = routes

export function mountArtifacts(app: Hono<Env>, api: Api): void {
  const { artifacts, runs } = api

  mount(app, api, route.ofThread, async ({ params, caller }) => ({
    items: await artifacts.ofThread(inTeam(caller).teamId, params.id),
  }))

  mount(app, api, route.open, async ({ params: { id: threadId, messageId }, body, caller }) =>
    artifacts.open(inTeam(caller), { threadId, messageId, ...body }),
  )

  mount(app, api, route.executeFence, async ({ params, query, body, caller, context }) => {
    const { index, ...asked } = body
    const team = inTeam(caller)
    const place = { threadId: params.id, messageId: params.messageId, index }
    return answer(context, query.wait, { teamId: team.teamId, run: await artifacts.executeFence(team, place, asked) })
  })

  mount(app, api, route.fenceExecutions, async ({ params: { id: threadId, messageId }, query, caller }) =>
    artifacts.executionsOfMessage(inTeam(caller).teamId, { threadId, messageId }, query),
  )

  mount(app, api, route.get, async ({ params, query, caller }) =>
    artifacts.get(inTeam(caller).teamId, params.id, query.version),
  )

  mount(app, api, route.save, async ({ params, body, caller }) =>
    artifacts.save(inTeam(caller), { id: params.id, ...body }),
  )

  mount(app, api, route.versions, async ({ params, query, caller }) =>
    artifacts.versions(inTeam(caller).teamId, params.id, query),
  )

  mount(app, api, route.diff, async ({ params, query, caller }) => ({
    diff: await artifacts.diff(inTeam(caller).teamId, params.id, query),
  }))

  mount(app, api, route.notebook, async ({ params, caller, context }) => {
    const notebook = await artifacts.exportBlock(inTeam(caller).teamId, params.id)
    context.header('content-disposition', 'attachment; filename="block.ipynb"')
    return context.body(JSON.stringify(notebook, null, 2), 200, { 'content-type': 'application/x-ipynb+json' })
  })

  mount(app, api, route.execute, async ({ params, query, body, caller, context }) => {
    const team = inTeam(caller)
    return answer(context, query.wait, { teamId: team.teamId, run: await artifacts.execute(team, params.id, body) })
  })

  mount(app, api, route.executions, async ({ params, query, caller }) =>
    artifacts.executions(inTeam(caller).teamId, params.id, query),
  )

  async function answer(
    context: Context<Env>,
    wait: 'true' | 'false',
    { teamId, run }: { teamId: string; run: LiveRun | Run },
  ): Promise<Response | Run> {
    if (!('ended' in run)) return run
    return wait === 'true' ? run.ended : context.json(await runs.get(teamId, run.id), 202)
  }
}
