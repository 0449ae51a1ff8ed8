import { createAuthEndpoint } from '@better-auth/core/api'
import { CoherexError } from '@coherex/contract'
import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { setSessionCookie } from 'better-auth/cookies'
import { genericOAuth } from 'better-auth/plugins'
import type { Pool } from 'pg'
import { z } from 'zod'
import { createId } from '../base/index.ts'

export interface OidcSettings {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}

export interface SignInOptions {
  /** Connections with `auth` first in their search path. */
  pool: Pool
  /** Signs the session cookie. */
  secret: string
  publicUrl: string
  oidc?: OidcSettings | undefined
}

/** A session as its cookie names it. */
export interface FoundSession {
  id: string
  token: string
  personId: string
}

const sessionDays = 30
const oidcProvider = 'oidc'

/**
 * Passwords, sessions and OIDC, by better-auth behind this one door. Its own HTTP routes are not mounted, but for the
 * OIDC callback: every way in is a route of the contract, with our rate limits, audit and access rules.
 */
export type SignIn = ReturnType<typeof createSignIn>

export function createSignIn(options: SignInOptions) {
  const auth = betterAuth(authOptions(options))

  return {
    async withPassword(
      email: string,
      password: string,
      headers: Headers,
    ): Promise<{ personId: string; cookies: string[] }> {
      const { headers: answer, response } = await auth.api
        .signInEmail({ body: { email, password }, headers, returnHeaders: true })
        .catch((cause: unknown) => {
          throw new CoherexError('unauthenticated', 'E-mail or password are wrong', { cause })
        })
      return { personId: response.user.id, cookies: answer.getSetCookie() }
    },
    /** For someone who has shown who they are in another way: a link, an invitation. */
    async as(personId: string, headers: Headers): Promise<string[]> {
      const { headers: answer } = await auth.api.signInAs({ body: { personId }, headers, returnHeaders: true })
      return answer.getSetCookie()
    },
    async find(headers: Headers): Promise<FoundSession | undefined> {
      if (!headers.get('cookie')?.includes('coherex.session')) return undefined
      const found = await auth.api.getSession({ headers, query: { disableRefresh: true } })
      return found ? { id: found.session.id, token: found.session.token, personId: found.user.id } : undefined
    },
    async out(headers: Headers): Promise<string[]> {
      const { headers: answer } = await auth.api.signOut({ headers, returnHeaders: true })
      return answer.getSetCookie()
    },
    async setPassword(personId: string, next: string): Promise<void> {
      const { internalAdapter, password } = await auth.$context
      const hash = await password.hash(next)
      const accounts = await internalAdapter.findAccounts(personId)
      if (accounts.some((one) => one.providerId === 'credential')) await internalAdapter.updatePassword(personId, hash)
      else
        await internalAdapter.linkAccount({
          userId: personId,
          accountId: personId,
          providerId: 'credential',
          password: hash,
        })
    },
    async hasPassword(personId: string, attempt: string): Promise<boolean> {
      const { internalAdapter, password } = await auth.$context
      const accounts = await internalAdapter.findAccounts(personId)
      const hash = accounts.find((one) => one.providerId === 'credential')?.password
      return hash ? password.verify({ hash, password: attempt }) : false
    },
    async startOidc(headers: Headers): Promise<{ url: string; cookies: string[] }> {
      const { headers: answer, response } = await auth.api.signInSocial({
        body: { provider: oidcProvider, callbackURL: '/', errorCallbackURL: '/sign-in?failed=oidc' },
        headers,
        returnHeaders: true,
      })
      if (!response.url) throw new Error('the OIDC provider gave no address to sign in at')
      return { url: response.url, cookies: answer.getSetCookie() }
    },
    /** The one route of better-auth that is reachable: where the provider sends people back to. */
    oidcCallback: (request: Request): Promise<Response> => auth.handler(request),
  }
}

/** How better-auth uses our tables. Exported for the test that it would change nothing about them. */
export function authOptions({ pool, secret, publicUrl, oidc }: SignInOptions) {
  return {
    appName: 'Coherex',
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret,
    database: pool,
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    trustedOrigins: [new URL(publicUrl).origin],
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10, maxPasswordLength: 200 },
    user: {
      modelName: 'person',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    session: {
      modelName: 'session',
      expiresIn: sessionDays * 86_400,
      updateAge: 86_400,
      fields: {
        userId: 'person_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    account: {
      modelName: 'account',
      // a person who was invited by mail may also come through the company's sign-in
      accountLinking: { enabled: true, trustedProviders: [oidcProvider] },
      fields: {
        userId: 'person_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verification',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    advanced: {
      cookiePrefix: 'coherex',
      useSecureCookies: publicUrl.startsWith('https:'),
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      database: { generateId: ({ model }) => createId(model === 'user' || model === 'person' ? 'person' : 'session') },
    },
    plugins: [
      signInAs,
      ...(oidc
        ? [
            genericOAuth({
              config: [
                {
                  providerId: oidcProvider,
                  discoveryUrl: `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
                  requireIdTokenVerification: true,
                  clientId: oidc.clientId,
                  clientSecret: oidc.clientSecret,
                  scopes: ['openid', 'email', 'profile'],
                  pkce: true,
                  // people come by invitation; the company's sign-in opens the door only to those who are known
                  disableSignUp: true,
                },
              ],
            }),
          ]
        : []),
    ],
  } satisfies BetterAuthOptions
}

/** Set by us on every request, whatever the client sent. */
export const clientAddressHeader = 'x-coherex-client-address'

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
