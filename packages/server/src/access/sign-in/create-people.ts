import { CoherexError, type Me, type Person, type Session } from '@coherex/contract'
import type { Database, EventBus, Log } from '../../base/index.ts'
import type { Caller, Origin, TeamCaller } from '../caller.ts'
import { finishSetup, type Setup } from './finish-setup.ts'
import { resetLetter } from './letters.ts'
import type { PassOnLink, SendMail } from './mail.ts'
import { createOneTimeLink, useOneTimeLink } from './one-time-links.ts'
import { changePassword, createMemberResetLink, resetPassword, type PasswordChange } from './passwords.ts'
import { describeMe, findPersonByEmail, renamePerson } from './people.ts'
import { recordForPerson } from './record-for-person.ts'
import { endSession, listSessions, switchTeam } from './sessions.ts'
import { clearSignInAttempts, countSignInAttempt } from './sign-in-attempts.ts'
import type { SignIn } from './sign-in.ts'

export interface PeopleDeps {
  database: Database
  events: Pick<EventBus, 'publish'>
  signIn: SignIn
  sendMail: SendMail | undefined
  /** Where people reach the server; links are made from it. */
  publicUrl: string
  log: Log
}

export type People = ReturnType<typeof createPeople>

/** People, how they come in and what they come with. Cookies are answered, for whoever holds the request. */
export function createPeople({ database, events, signIn, sendMail, publicUrl, log }: PeopleDeps) {
  const sessionsChanged = (personId: string) => events.publish({ teamId: null, type: 'session', id: personId })
  const resetLinkOf = (token: string) => `${publicUrl}/reset/${token}`

  async function recordFailure(email: string, origin: Origin): Promise<void> {
    try {
      const person = await findPersonByEmail(database, email)
      if (!person) return
      await database.transaction({}, (transaction) =>
        recordForPerson(transaction, { person, origin, action: 'sign-in.fail' }),
      )
    } catch (error) {
      log.error({ error }, 'a failed sign-in was not recorded')
    }
  }

  async function mailResetLink(email: string): Promise<void> {
    const person = await findPersonByEmail(database, email)
    if (!person || !sendMail) return
    const { token } = await database.transaction({}, (transaction) =>
      createOneTimeLink(transaction, 'reset', person.id),
    )
    await sendMail(resetLetter(email, person.name, resetLinkOf(token)))
  }

  return {
    async signInWithPassword(
      { email, password }: { email: string; password: string },
      headers: Headers,
      origin: Origin,
    ): Promise<string[]> {
      await countSignInAttempt(database, email, origin.ip)
      const { cookies } = await signIn.withPassword(email, password, headers).catch((error: unknown) => {
        // not awaited: the time of the answer must not tell whether the person exists
        void recordFailure(email, origin)
        throw error
      })
      await clearSignInAttempts(database, email, origin.ip)
      return cookies
    },

    async signInWithLink(token: string, headers: Headers): Promise<string[]> {
      const personId = await database.transaction({}, (transaction) => useOneTimeLink(transaction, 'sign-in', token))
      return signIn.as(personId, headers)
    },

    async recordSignIn(person: Person, origin: Origin, how: string): Promise<void> {
      await database.transaction({}, (transaction) =>
        recordForPerson(transaction, { person, origin, action: 'sign-in', details: { how } }),
      )
    },

    /** Ends the session that these headers name: a browser which gets another forgets it, and a copy must not go on. */
    async endFormerSession(headers: Headers): Promise<void> {
      const before = await signIn.find(headers)
      if (!before) return
      await database.transaction({}, (transaction) => endSession(transaction, before.personId, before.id))
      await sessionsChanged(before.personId)
    },

    async signOut(caller: Caller, headers: Headers): Promise<string[]> {
      const { person } = caller
      await database.transaction({}, async (transaction) => {
        const ended = await endSession(transaction, person.id, caller.credentialId)
        if (ended) await recordForPerson(transaction, { person, origin: caller, action: 'sign-out' })
      })
      await sessionsChanged(person.id)
      // the session is gone; this forgets its cookie
      return signIn.out(headers)
    },

    async finishSetup(caller: Caller, setup: Setup): Promise<void> {
      await finishSetup({ database, signIn }, caller, setup)
      await events.publish({ teamId: caller.teamId, type: 'team', id: caller.teamId })
    },

    describe: (caller: Caller): Promise<Me> => describeMe(database, caller),

    async rename(caller: Caller, name: string): Promise<Me> {
      const renamed = { ...caller.person, name }
      const details = { before: caller.person.name }
      await database.transaction({}, async (transaction) => {
        await renamePerson(transaction, caller.person.id, name)
        await recordForPerson(transaction, { person: renamed, origin: caller, action: 'person.rename', details })
      })
      await events.publish({ teamId: caller.teamId, type: 'member', id: caller.person.id })
      return describeMe(database, { ...caller, person: renamed })
    },

    async switchTeam(caller: Caller, teamId: string): Promise<void> {
      const { teams } = await describeMe(database, caller)
      if (!teams.some((one) => one.id === teamId)) throw new CoherexError('not_found', 'You are in no such team')
      await switchTeam(database, caller, teamId)
    },

    listSessions: (caller: Caller): Promise<Session[]> => listSessions(database, caller),

    async endSession(caller: Caller, id: string): Promise<void> {
      const { person } = caller
      await database.transaction({}, async (transaction) => {
        const ended = await endSession(transaction, person.id, id)
        if (!ended) throw new CoherexError('not_found', 'There is no such session')
        await recordForPerson(transaction, { person, origin: caller, action: 'session.end' })
      })
      await sessionsChanged(person.id)
    },

    async changePassword(caller: Caller, change: PasswordChange): Promise<void> {
      // whoever found an open browser must not try passwords without end
      const account = `change ${caller.person.id}`
      await countSignInAttempt(database, account, caller.ip)
      await changePassword({ database, signIn }, caller, change)
      await sessionsChanged(caller.person.id)
      await clearSignInAttempts(database, account, caller.ip)
    },

    /** Sends a reset link to whom the address belongs to. Done before the work is, so that its time tells nothing. */
    async forgotPassword(email: string, ip: string | null): Promise<void> {
      await countSignInAttempt(database, `forgot ${email}`, ip)
      void mailResetLink(email).catch((error: unknown) => log.error({ error }, 'a reset link was not sent'))
    },

    async resetPassword(reset: { token: string; password: string; origin: Origin }): Promise<void> {
      await sessionsChanged(await resetPassword({ database, signIn }, reset))
    },

    async sendResetLink(caller: TeamCaller, personId: string): Promise<PassOnLink> {
      const { token, expiresAt, email, name } = await createMemberResetLink(database, caller, personId)
      const link = resetLinkOf(token)
      const mailed = (await sendMail?.(resetLetter(email, name, link))) ?? false
      // once it is in their mail box, the admin has no need of it
      return { link: mailed ? null : link, mailed, expiresAt: expiresAt.toISOString() }
    },
  }
}
