import { Readable } from 'node:stream'
import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { answerWithProgress } from '../answers/stream-progress.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { packages: route } = routes

/** Packages of registries: resolving, what is kept, and the rules of the team. */
export function mountPackages(app: Hono<Env>, api: Api): void {
  const { packages } = api

  mount(app, api, route.resolve, async ({ body, caller, context }) =>
    answerWithProgress(context, api.log, (preparation) => packages.resolve(inTeam(caller), body, preparation)),
  )
  mount(app, api, route.list, async ({ query, caller }) => packages.list(inTeam(caller).teamId, query))
  mount(app, api, route.info, async ({ query, context }) =>
    packages.info(query.language, query.name, context.req.raw.signal),
  )
  mount(app, api, route.findWheels, async ({ body, caller, context }) =>
    packages.findWheels(inTeam(caller), body.modules, context.req.raw.signal),
  )
  mount(app, api, route.wheel, async ({ params }) => {
    const body = await packages.openWheel(params.hash)
    // a hash names the same bytes for ever
    const headers = {
      'content-type': 'application/octet-stream',
      'cache-control': 'private, max-age=31536000, immutable',
    }
    return new Response(Readable.toWeb(body) as ReadableStream, { headers })
  })
  mount(app, api, route.types, async ({ params, caller, context }) =>
    packages.types(inTeam(caller), params.hash, { signal: context.req.raw.signal }),
  )
  mount(app, api, route.bundle, async ({ body, caller, context }) =>
    packages.bundle(inTeam(caller), body.imports, context.req.raw.signal),
  )
  mount(app, api, route.policy, async ({ caller }) => packages.policy(inTeam(caller).teamId))
  mount(app, api, route.setPolicy, async ({ body, caller }) => packages.setPolicy(inTeam(caller), body))
  mount(app, api, route.prune, async ({ body, caller }) => packages.prune(inTeam(caller), body.unusedDays))
  mount(app, api, route.remove, async ({ params, caller }) => packages.remove(inTeam(caller), params.hash))
}
