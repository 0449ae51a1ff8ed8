import { setTimeout as delay } from 'node:timers/promises'
import { CoherexError } from '@coherex/contract'
import { betterAuth } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins'
import { authOptions, oidcProvider, type AuthSettings } from './auth-options.ts'

export interface OidcSettings {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}

/** Why someone who came back from the provider is not signed in; the sign-in page has a sentence for each. */
export type OidcFailure = 'unknown-person' | 'unverified-address' | 'expired' | 'provider'

export interface OidcResult {
  cookies: string[]
  failure: OidcFailure | undefined
}

const discoveryDeadlineMs = 10_000

/** Sign-in through the company's provider: authorization code with PKCE, state, nonce and a verified id token. */
export function createOidcSignIn(settings: AuthSettings, oidc: OidcSettings) {
  let known: Promise<ReturnType<typeof createAuth>> | undefined

  /** Asks the provider for its addresses at the first sign-in, and again if it was away: the server starts without it. */
  function open(): Promise<ReturnType<typeof createAuth>> {
    known ??= discover(settings, oidc).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }

  return {
    async start(headers: Headers): Promise<{ url: string; cookies: string[] }> {
      const auth = await open()
      const { headers: answer, response } = await auth.api.signInSocial({
        body: { provider: oidcProvider, callbackURL: '/' },
        headers,
        returnHeaders: true,
      })
      if (!response.url) throw new Error('the OIDC provider gave no address to sign in at')
      return { url: response.url, cookies: answer.getSetCookie() }
    },
    /** What came of it when the provider sends someone back to `url`. */
    async finish(url: string, headers: Headers): Promise<OidcResult> {
      const auth = await open()
      const answer = await auth.handler(new Request(url, { headers }))
      const cookies = answer.headers.getSetCookie()
      const location = URL.parse(answer.headers.get('location') ?? '', settings.publicUrl)
      const error = location?.searchParams.get('error')
      if (answer.status === 302 && location?.pathname === '/' && !error) return { cookies, failure: undefined }
      return { cookies, failure: failures[error ?? ''] ?? 'provider' }
    },
  }
}

const failures: Record<string, OidcFailure> = {
  signup_disabled: 'unknown-person',
  email_not_found: 'unverified-address',
  state_mismatch: 'expired',
  state_not_found: 'expired',
}

async function discover(settings: AuthSettings, oidc: OidcSettings) {
  const auth = createAuth(settings, oidc)
  const late = delay(discoveryDeadlineMs, undefined, { ref: false })
  const context = await Promise.race([auth.$context, late])
  if (context?.socialProviders.some((one) => one.id === oidcProvider)) return auth
  throw new CoherexError('unavailable', `${oidc.name} cannot be reached right now: try again`, {
    retryAfterSeconds: 10,
  })
}

function createAuth(settings: AuthSettings, { issuer, clientId, clientSecret }: OidcSettings) {
  return betterAuth({
    ...authOptions(settings),
    onAPIError: { errorURL: `${settings.publicUrl}/sign-in` },
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: oidcProvider,
            discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
            requireIdTokenVerification: true,
            clientId,
            clientSecret,
            scopes: ['openid', 'email', 'profile'],
            pkce: true,
            // people come by invitation; the company's sign-in opens the door only to those who are known
            disableSignUp: true,
            // an address that the provider itself doubts says nothing about who someone is
            mapProfileToUser: (profile) => (profile['email_verified'] === false ? { email: '' } : {}),
          },
        ],
      }),
    ],
  })
}
