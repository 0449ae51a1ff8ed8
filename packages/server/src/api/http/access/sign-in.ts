import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import { originOf, type Env } from '../requests/request-context.ts'
import { describeSignedIn } from './describe-signed-in.ts'
import { addCookies, welcome } from './welcome.ts'

const { signIn: route } = routes

export function mountSignIn(app: Hono<Env>, api: Api): void {
  const { people } = api.access

  mount(app, api, route.methods, async () => ({
    password: true as const,
    oidc: api.oidc ? { name: api.oidc.name } : null,
    mail: api.sendsMail,
  }))

  mount(app, api, route.withPassword, async ({ body, context }) => {
    const cookies = await people.signInWithPassword(body, context.get('headers'), originOf(context))
    return welcome(api, context, { cookies, how: 'password' })
  })

  mount(app, api, route.withLink, async ({ body, context }) => {
    const cookies = await people.signInWithLink(body.token, context.get('headers'))
    return welcome(api, context, { cookies, how: 'link' })
  })

  mount(app, api, route.finishSetup, async ({ body, caller, context }) => {
    await people.finishSetup(caller, body)
    return describeSignedIn(api, context.get('headers'), originOf(context))
  })

  mount(app, api, route.out, async ({ caller, context }) => {
    addCookies(context, await people.signOut(caller, context.get('headers')))
  })

  mount(app, api, route.forgotPassword, async ({ body, context }) =>
    people.forgotPassword(body.email, context.get('clientAddress')),
  )

  mount(app, api, route.resetPassword, async ({ body, context }) =>
    people.resetPassword({ ...body, origin: originOf(context) }),
  )

  mount(app, api, route.changePassword, async ({ body, caller }) => people.changePassword(caller, body))

  mount(app, api, route.me, async ({ caller }) => people.describe(caller))

  mount(app, api, route.updateMe, async ({ body, caller }) => people.rename(caller, body.name))

  mount(app, api, route.switchTeam, async ({ body, caller, context }) => {
    await people.switchTeam(caller, body.teamId)
    return describeSignedIn(api, context.get('headers'), originOf(context))
  })

  mount(app, api, route.listSessions, async ({ caller }) => ({ items: await people.listSessions(caller) }))

  mount(app, api, route.endSession, async ({ params, caller }) => people.endSession(caller, params.id))

  mount(app, api, route.resetMember, async ({ params, caller }) =>
    people.sendResetLink(inTeam(caller), params.personId),
  )
}
