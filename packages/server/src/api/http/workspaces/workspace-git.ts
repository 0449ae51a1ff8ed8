import { routes } from '@coherex/contract'
import type { Context, Hono } from 'hono'
import { inTeam, type Caller } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'
import { authorOf } from '../requests/workspace-author.ts'

const { workspaces: route } = routes

/** Workspaces from and to git repositories. Whoever hangs up ends what they asked for. */
export function mountWorkspaceGit(app: Hono<Env>, api: Api): void {
  const { workspaceGit } = api
  const nameOf = (caller: Caller, params: { id: string }) => ({ teamId: inTeam(caller).teamId, workspaceId: params.id })
  const useOf = (caller: Caller, context: Context<Env>) => ({
    caller: inTeam(caller),
    author: authorOf(caller, context),
    signal: context.req.raw.signal,
  })

  mount(app, api, route.cloneGit, async ({ body, caller, context }) =>
    workspaceGit.clone({ ...useOf(caller, context), ...body }),
  )

  mount(app, api, route.importGit, async ({ params, body, caller, context }) =>
    workspaceGit.import(nameOf(caller, params), { ...useOf(caller, context), ...body }),
  )

  mount(app, api, route.pushGit, async ({ params, body, caller, context }) =>
    workspaceGit.push(nameOf(caller, params), { ...useOf(caller, context), ...body }),
  )

  mount(app, api, route.gitRemotes, async ({ params, caller }) => ({
    items: await workspaceGit.remotes(nameOf(caller, params)),
  }))
}
