import type { BetterAuthOptions } from 'better-auth'
import type { Pool } from 'pg'
import { createId } from '../../base/index.ts'

/** Set by us on every request, whatever the client sent. */
export const clientAddressHeader = 'x-coherex-client-address'

export const oidcProvider = 'oidc'
const sessionDays = 30

export interface AuthSettings {
  /** Connections with `coherex_auth` first in their search path. */
  pool: Pool
  /** Signs the session cookie. */
  secret: string
  publicUrl: string
}

/** How better-auth works here, whoever is asked to show who they are. */
export function authOptions({ pool, secret, publicUrl }: AuthSettings) {
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
      // nothing here calls the provider for anyone, so its tokens are not kept: see keepNoTokens
      updateAccountOnSignIn: false,
      accountLinking: {
        enabled: true,
        // a person who was invited may also come through the company's sign-in, which vouches for the address
        trustedProviders: [oidcProvider],
        requireLocalEmailVerified: false,
      },
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
    databaseHooks: { account: { create: { before: keepNoTokens } } },
    verification: {
      modelName: 'verification',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    advanced: {
      cookiePrefix: 'coherex',
      useSecureCookies: publicUrl.startsWith('https:'),
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      database: {
        generateId: ({ model }: { model: string }) =>
          createId(model === 'user' || model === 'person' ? 'person' : 'session'),
      },
    },
  } satisfies BetterAuthOptions
}

async function keepNoTokens<Account extends object>(account: Account) {
  return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } }
}
