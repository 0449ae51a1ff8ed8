import { CoherexError, routes, type Language } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import { copyFromWorkspace } from '../../../runs/index.ts'
import type { Api } from '../../api.ts'
import { answerWithProgress } from '../answers/stream-progress.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { sandboxes: route } = routes

/** Sandboxes that live on, their sessions and their variables. */
export function mountSandboxes(app: Hono<Env>, api: Api): void {
  const { sandboxes, sandboxVerbs, previews } = api

  mount(app, api, route.create, async ({ body, caller, context }) =>
    answerWithProgress(context, api.log, async ({ onProgress }) => {
      const { workspaceId, ...request } = body
      const team = inTeam(caller)
      if (workspaceId !== undefined) await api.workspaces.get(team.teamId, workspaceId)
      const made = await sandboxes.create(team, request, { workspaceId, onProgress })
      if (workspaceId === undefined) return made
      await copyFromWorkspace(api, team, { id: made.id, workspaceId, path: '' })
      return sandboxes.get(team.teamId, made.id)
    }),
  )
  mount(app, api, route.list, async ({ query, caller }) => sandboxes.list(inTeam(caller).teamId, query))
  mount(app, api, route.get, async ({ params, caller }) => sandboxes.get(inTeam(caller).teamId, params.id))
  mount(app, api, route.change, async ({ params, body, caller }) => sandboxes.update(inTeam(caller), params.id, body))
  mount(app, api, route.packages, async ({ params, body, caller, context }) =>
    answerWithProgress(context, api.log, (preparation) =>
      sandboxes.changePackages(inTeam(caller), params.id, { ...body, preparation }),
    ),
  )
  mount(app, api, route.remove, async ({ params, caller }) => sandboxes.remove(inTeam(caller), params.id))

  mount(app, api, route.interrupt, async ({ params, body, caller }) => ({
    interrupted: await sandboxes.interrupt(inTeam(caller).teamId, params.id, body.context),
  }))

  mount(app, api, route.reset, async ({ params, body, caller }) =>
    sandboxVerbs.resetSessions({ teamId: inTeam(caller).teamId, id: params.id, context: body.context }),
  )
  mount(app, api, route.fork, async ({ params, body, caller }) => sandboxes.fork(inTeam(caller), params.id, body.name))

  mount(app, api, route.extend, async ({ params, body, caller }) =>
    sandboxes.use(inTeam(caller).teamId, params.id, (open) =>
      sandboxes.change(open, {
        lastUsedAt: new Date(),
        ...(body.idleTimeoutMs === undefined ? {} : { idleTimeoutMs: body.idleTimeoutMs }),
      }),
    ),
  )

  mount(app, api, route.rerun, async ({ params, body, caller }) =>
    api.executions.rerunCells(inTeam(caller), { id: params.id, ...body }),
  )

  mount(app, api, route.variables, async ({ params, query, caller }) => {
    const { teamId } = inTeam(caller)
    const { language } = await sandboxes.findUsable(teamId, params.id)
    const awake = sandboxes.awake(teamId, params.id)
    // one that sleeps has none, and neither has a session that did not begin
    if (!awake) return { items: [] }
    awake.touch()
    const sessions = awake.inside.sessions()
    const context = chooseContext(sessions, query.context, language)
    if (context === undefined) return { items: [] }
    // asked between two cells, as pages do
    if (sessions.some((one) => one.context === context && one.status !== 'idle')) return { items: [], isBusy: true }
    return { items: await awake.inside.variables(context) }
  })

  mount(app, api, route.variable, async ({ params, query, caller }) => {
    const { teamId } = inTeam(caller)
    const { language } = await sandboxes.findUsable(teamId, params.id)
    const awake = sandboxes.awake(teamId, params.id)
    awake?.touch()
    const context = awake && chooseContext(awake.inside.sessions(), query.context, language)
    const found = context === undefined ? undefined : await awake?.inside.variable(context, params.name, query)
    if (!found) throw new CoherexError('not_found', `There is no variable "${params.name}"`)
    return found
  })

  mount(app, api, route.complete, async ({ params, body, caller }) => {
    const { teamId } = inTeam(caller)
    const { language } = await sandboxes.findUsable(teamId, params.id)
    const awake = sandboxes.awake(teamId, params.id)
    const sessions = awake?.inside.sessions() ?? []
    const context = chooseContext(sessions, body.language, language)
    const isIdle = sessions.some((one) => one.context === context && one.status === 'idle')
    if (!awake || context === undefined || !isIdle) return { prefix: '', items: [] }
    awake.touch()
    return awake.inside.complete(context, body.code.slice(0, body.cursor))
  })

  mount(app, api, route.preview, async ({ params, caller }) => {
    const { teamId } = inTeam(caller)
    await sandboxes.findUsable(teamId, params.id)
    return previews.forTeam({ teamId, sandboxId: params.id, port: params.port })
  })

  mount(app, api, route.sharePreview, async ({ params, body, caller }) => {
    await sandboxVerbs.recordShare(inTeam(caller), params)
    const { teamId, person } = inTeam(caller)
    return previews.forAnyone({ teamId, sandboxId: params.id, port: params.port }, body.hours, person.id)
  })

  mount(app, api, route.unsharePreviews, async ({ params, caller }) => sandboxVerbs.unshare(inTeam(caller), params.id))
}

/** The session that was named; else the one of the sandbox's language; else the only one there is. */
function chooseContext(
  sessions: { context: string }[],
  named: string | undefined,
  language: Language | null,
): string | undefined {
  const wanted = named ?? (sessions.length === 1 ? sessions[0]?.context : (language ?? 'python'))
  return sessions.find(({ context }) => context === wanted)?.context
}
