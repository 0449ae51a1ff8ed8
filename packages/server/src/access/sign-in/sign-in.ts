import { createAuthEndpoint } from '@better-auth/core/api'
import { CoherexError } from '@coherex/contract'
import { betterAuth } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { authOptions, type AuthSettings } from './auth-options.ts'
import { createOidcSignIn, type OidcResult, type OidcSettings } from './oidc-sign-in.ts'

export interface SignInOptions extends AuthSettings {
  oidc?: OidcSettings | undefined
}

/** A session as its cookie names it. */
export interface FoundSession {
  id: string
  token: string
  personId: string
}

/**
 * Passwords, sessions and OIDC, by better-auth behind this one door. Its own HTTP routes are not mounted, but for the
 * OIDC callback: every way in is a route of the contract, with our rate limits, audit and access rules.
 */
export type SignIn = ReturnType<typeof createSignIn>

export function createSignIn({ oidc, ...settings }: SignInOptions) {
  const auth = betterAuth({ ...authOptions(settings), plugins: [signInAs] })
  const provider = oidc && createOidcSignIn(settings, oidc)

  return {
    async withPassword(email: string, password: string, headers: Headers): Promise<{ cookies: string[] }> {
      const { headers: answer } = await auth.api
        .signInEmail({ body: { email, password }, headers, returnHeaders: true })
        .catch((cause: unknown) => {
          if (!isAPIError(cause) || cause.statusCode >= 500) throw cause
          throw new CoherexError('unauthenticated', 'E-mail or password are wrong', { cause })
        })
      return { cookies: answer.getSetCookie() }
    },
    /** For someone who has shown who they are in another way: a link, an invitation. */
    async as(personId: string, headers: Headers): Promise<string[]> {
      const { headers: answer } = await auth.api.signInAs({ body: { personId }, headers, returnHeaders: true })
      return answer.getSetCookie()
    },
    async find(headers: Headers): Promise<FoundSession | undefined> {
      if (!headers.get('cookie')?.includes('coherex.session')) return undefined
      const found = await auth.api.getSession({ headers, query: { disableRefresh: true } }).catch((cause: unknown) => {
        // better-auth does not say what went wrong while it looked; it is the database
        throw new CoherexError('unavailable', 'Your session cannot be checked right now: try again', {
          retryAfterSeconds: 2,
          cause,
        })
      })
      return found ? { id: found.session.id, token: found.session.token, personId: found.user.id } : undefined
    },
    async out(headers: Headers): Promise<string[]> {
      const { headers: answer } = await auth.api.signOut({ headers, returnHeaders: true })
      return answer.getSetCookie()
    },
    /** A password as `storePassword` keeps it. */
    async hashPassword(next: string): Promise<string> {
      return (await auth.$context).password.hash(next)
    },
    async hasPassword(personId: string, attempt: string): Promise<boolean> {
      const { internalAdapter, password } = await auth.$context
      const accounts = await internalAdapter.findAccounts(personId)
      const hash = accounts.find((one) => one.providerId === 'credential')?.password
      return hash ? password.verify({ hash, password: attempt }) : false
    },
    async startOidc(headers: Headers): Promise<{ url: string; cookies: string[] }> {
      if (!provider) throw new CoherexError('not_found', 'There is no single sign-on here')
      return provider.start(headers)
    },
    async finishOidc(url: string, headers: Headers): Promise<OidcResult> {
      if (!provider) throw new CoherexError('not_found', 'There is no single sign-on here')
      return provider.finish(url, headers)
    },
  }
}

const signInAs = {
  id: 'coherex-sign-in-as',
  endpoints: {
    signInAs: createAuthEndpoint(
      '/coherex/sign-in-as',
      { method: 'POST', body: z.object({ personId: z.string() }), metadata: { SERVER_ONLY: true } },
      async (context) => {
        const user = await context.context.internalAdapter.findUserById(context.body.personId)
        if (!user) throw new CoherexError('not_found', 'There is no such person')
        const session = await context.context.internalAdapter.createSession(user.id)
        await setSessionCookie(context, { session, user })
        return { personId: user.id }
      },
    ),
  },
} as const
