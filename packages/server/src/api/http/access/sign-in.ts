import { CoherexError, routes } from '@coherex/contract'
import type { Hono } from 'hono'
import {
  changePassword,
  clearSignInAttempts,
  countSignInAttempt,
  createMemberResetLink,
  createOneTimeLink,
  describeMe,
  endSession,
  findPersonByEmail,
  finishSetup,
  inTeam,
  listSessions,
  recordForPerson,
  renamePerson,
  resetPassword,
  switchTeam,
  useOneTimeLink,
  type Origin,
} from '../../../access/index.ts'
import type { Api } from '../api.ts'
import { mount } from '../mount.ts'
import { originOf, type Env } from '../requests/request-context.ts'
import { describeSignedIn } from './describe-signed-in.ts'
import { addCookies, welcome } from './welcome.ts'

const { signIn: route } = routes

export function mountSignIn(app: Hono<Env>, api: Api): void {
  const { database, signIn, events } = api

  mount(app, api, route.methods, async () => ({
    password: true as const,
    oidc: api.oidc ? { name: api.oidc.name } : null,
    mail: api.sendMail !== undefined,
  }))

  mount(app, api, route.withPassword, async ({ body, context }) => {
    const ip = context.get('clientAddress')
    await countSignInAttempt(database, body.email, ip)
    const { cookies } = await signIn
      .withPassword(body.email, body.password, context.get('headers'))
      .catch((error: unknown) => {
        // not awaited: the time of the answer must not tell whether the person exists
        void recordFailure(body.email, originOf(context))
        throw error
      })
    await clearSignInAttempts(database, body.email, ip)
    return welcome(api, context, { cookies, how: 'password' })
  })

  mount(app, api, route.withLink, async ({ body, context }) => {
    const personId = await database.transaction({}, (transaction) => useOneTimeLink(transaction, 'sign-in', body.token))
    return welcome(api, context, { cookies: await signIn.as(personId, context.get('headers')), how: 'link' })
  })

  mount(app, api, route.finishSetup, async ({ body, caller, context }) => {
    await finishSetup(api, caller, body)
    await events.publish({ teamId: caller.teamId, type: 'team', id: caller.teamId })
    return describeSignedIn(api, context.get('headers'), originOf(context))
  })

  mount(app, api, route.out, async ({ caller, context }) => {
    const { person } = caller
    await database.transaction({}, async (transaction) => {
      const ended = await endSession(transaction, person.id, caller.credentialId)
      if (ended) await recordForPerson(transaction, { person, origin: caller, action: 'sign-out' })
    })
    // the session is gone; this forgets its cookie
    addCookies(context, await signIn.out(context.get('headers')))
    await events.publish({ teamId: null, type: 'session', id: caller.person.id })
  })

  mount(app, api, route.forgotPassword, async ({ body, context }) => {
    await countSignInAttempt(database, `forgot ${body.email}`, context.get('clientAddress'))
    // answered before the work is done, so that the time tells nothing either
    void mailResetLink(api, body.email).catch((error: unknown) => api.log.error({ error }, 'a reset link was not sent'))
  })

  mount(app, api, route.resetPassword, async ({ body, context }) => {
    const personId = await resetPassword(api, { ...body, origin: originOf(context) })
    await events.publish({ teamId: null, type: 'session', id: personId })
  })

  mount(app, api, route.changePassword, async ({ body, caller }) => {
    // whoever found an open browser must not try passwords without end
    const account = `change ${caller.person.id}`
    await countSignInAttempt(database, account, caller.ip)
    await changePassword(api, caller, body)
    await clearSignInAttempts(database, account, caller.ip)
    await events.publish({ teamId: null, type: 'session', id: caller.person.id })
  })

  mount(app, api, route.me, async ({ caller }) => describeMe(database, caller))

  mount(app, api, route.updateMe, async ({ body, caller }) => {
    const renamed = { ...caller.person, name: body.name }
    const details = { before: caller.person.name }
    await database.transaction({}, async (transaction) => {
      await renamePerson(transaction, caller.person.id, body.name)
      await recordForPerson(transaction, { person: renamed, origin: caller, action: 'person.rename', details })
    })
    await events.publish({ teamId: caller.teamId, type: 'member', id: caller.person.id })
    return describeMe(database, { ...caller, person: renamed })
  })

  mount(app, api, route.switchTeam, async ({ body, caller, context }) => {
    const { teams } = await describeMe(database, caller)
    if (!teams.some((one) => one.id === body.teamId)) throw new CoherexError('not_found', 'You are in no such team')
    await switchTeam(database, caller, body.teamId)
    return describeSignedIn(api, context.get('headers'), originOf(context))
  })

  mount(app, api, route.listSessions, async ({ caller }) => ({ items: await listSessions(database, caller) }))

  mount(app, api, route.endSession, async ({ params, caller }) => {
    await database.transaction({}, async (transaction) => {
      const ended = await endSession(transaction, caller.person.id, params.id)
      if (!ended) throw new CoherexError('not_found', 'There is no such session')
      await recordForPerson(transaction, { person: caller.person, origin: caller, action: 'session.end' })
    })
    await events.publish({ teamId: null, type: 'session', id: caller.person.id })
  })

  mount(app, api, route.resetMember, async ({ params, caller }) => {
    const { token, expiresAt, email, name } = await createMemberResetLink(database, inTeam(caller), params.personId)
    const link = `${api.publicUrl}/reset/${token}`
    const mailed = (await api.sendMail?.(resetLetter(email, name, link))) ?? false
    // once it is in their mail box, the admin has no need of it
    return { link: mailed ? null : link, mailed, expiresAt: expiresAt.toISOString() }
  })

  async function recordFailure(email: string, origin: Origin): Promise<void> {
    try {
      const person = await findPersonByEmail(database, email)
      if (!person) return
      await database.transaction({}, (transaction) =>
        recordForPerson(transaction, { person, origin, action: 'sign-in.fail' }),
      )
    } catch (error) {
      api.log.error({ error }, 'a failed sign-in was not recorded')
    }
  }
}

async function mailResetLink(api: Api, email: string): Promise<void> {
  const person = await findPersonByEmail(api.database, email)
  if (!person || !api.sendMail) return
  const { token } = await api.database.transaction({}, (transaction) =>
    createOneTimeLink(transaction, 'reset', person.id),
  )
  await api.sendMail(resetLetter(email, person.name, `${api.publicUrl}/reset/${token}`))
}

function resetLetter(to: string, name: string, link: string) {
  return {
    to,
    subject: 'Reset your Coherex password',
    text: `Hello ${name},\n\nset a new password here within 24 hours:\n\n${link}\n\nIf you did not ask for this, ignore this letter.\n`,
  }
}
