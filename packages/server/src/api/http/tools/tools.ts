import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import { fromGivenFiles } from '../../../registry/index.ts'
import type { CallOptions } from '../../../tools/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'
import { streamCall } from './stream-call.ts'

const { tools: route } = routes

export function mountTools(app: Hono<Env>, api: Api): void {
  const { tools } = api
  const stored = api.registry.tools

  mount(app, api, route.list, async ({ query, caller }) => stored.list(inTeam(caller).teamId, query))

  mount(app, api, route.save, async ({ body, caller }) => tools.saveRequest(inTeam(caller), body))

  // before the routes with a name: these two are no tools
  mount(app, api, route.shared, async ({ query, caller }) => stored.offered(inTeam(caller).teamId, query))

  mount(app, api, route.rules, async ({ caller }) => stored.rules(inTeam(caller).teamId))

  mount(app, api, route.setRules, async ({ body, caller }) => stored.setRules(inTeam(caller), body))

  mount(app, api, route.install, async ({ params, body, caller }) =>
    tools.install(inTeam(caller), { ...params, ...body }),
  )

  mount(app, api, route.get, async ({ params, caller }) => stored.get(inTeam(caller).teamId, params.name))

  mount(app, api, route.change, async ({ params, body, caller }) => {
    if ('owner' in body) await stored.setOwner(inTeam(caller), params.name, body.owner)
    else if ('reach' in body) await stored.setReach(inTeam(caller), params.name, body.reach)
    else await stored.setStatus(inTeam(caller), params.name, body)
    return stored.get(inTeam(caller).teamId, params.name)
  })

  mount(app, api, route.remove, async ({ params, caller }) => stored.remove(inTeam(caller), params.name))

  mount(app, api, route.versions, async ({ params, query, caller }) =>
    stored.versions(inTeam(caller).teamId, params.name, query),
  )

  mount(app, api, route.version, async ({ params, caller }) => stored.version(inTeam(caller).teamId, params))

  mount(app, api, route.diff, async ({ params, query, caller }) => ({
    diff: await stored.diff(inTeam(caller).teamId, params.name, query),
  }))

  mount(app, api, route.test, async ({ params, body, caller }) => ({
    results: await tools.test(inTeam(caller), { ...params, ...body }),
  }))

  mount(app, api, route.publishVersion, async ({ params, body, caller }) =>
    tools.publishVersion(inTeam(caller), { ...params, ...body }),
  )

  mount(app, api, route.usage, async ({ params, query, caller }) =>
    stored.usage(inTeam(caller).teamId, params.name, query),
  )

  mount(app, api, route.usedBy, async ({ params, caller }) => ({
    items: await stored.usedBy(inTeam(caller).teamId, params.name),
  }))

  mount(app, api, route.export, async ({ params, query, caller }) =>
    tools.export(inTeam(caller), { ...params, ...query }),
  )

  mount(app, api, route.reviews, async ({ params, query, caller }) =>
    stored.reviews(inTeam(caller).teamId, { ...params, ...query }),
  )

  mount(app, api, route.review, async ({ params, body, caller }) => stored.review(inTeam(caller), params.name, body))

  mount(app, api, route.askReview, async ({ params, body, caller }) =>
    tools.askReview(inTeam(caller), params.name, body),
  )

  mount(app, api, route.validate, async ({ body }) => tools.validate(fromGivenFiles(body.files)))

  mount(app, api, route.check, async ({ body }) => ({ failures: await tools.checkValue(body.schema, body.value) }))

  mount(app, api, route.call, async ({ params, body, caller, context }) => {
    const call = (options?: CallOptions) =>
      tools.call(inTeam(caller), { ...params, ...body }, { ...options, tries: true })
    const streams = context.req.header('accept')?.includes('text/event-stream') ?? false
    return streams ? streamCall(context, api.log, call) : call()
  })
}
