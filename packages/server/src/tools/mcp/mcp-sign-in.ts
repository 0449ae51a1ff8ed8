import { randomBytes, timingSafeEqual } from 'node:crypto'
import { CoherexError, type McpAuth } from '@coherex/contract'
import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
  OAuthClientFlowError,
  OAuthError,
  UnauthorizedError,
  type AuthProvider,
  type OAuthClientMetadata,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import type { TeamCaller } from '../../access/index.ts'
import { teamRules, type Egress, type GuardedFetch } from '../../egress/index.ts'
import type { McpCredential, McpCredentials, NumberedServer } from './mcp-credentials.ts'
import { causeOf, describeFailure } from './mcp-failure.ts'

type OauthSettings = Extract<McpAuth, { kind: 'oauth' }>

/** A server that is signed in to: where it is, and as which client. */
export interface SignInTarget extends NumberedServer {
  url: string
  settings: OauthSettings
  /** The value of the client's secret, where one was registered by hand. */
  clientSecret?: string | undefined
}

export interface SignInDeps {
  egress: Pick<Egress, 'fetchFor'>
  credentials: McpCredentials
  /** Where people reach this server. */
  publicUrl: string
  /** Where the document is that says who we are. */
  metadataUrl?: string
}

const longestSignInMs = 10 * 60_000
const longestScope = 2_000
const limits = { bodyBytes: 1_000_000, totalMs: 20_000 }

/** The document that says who this installation is, for servers that read it instead of registering clients. */
export function clientMetadataOf(publicUrl: string): OAuthClientMetadata & { client_id: string } {
  return {
    client_id: `${publicUrl}/oauth/client.json`,
    client_name: 'Coherex',
    client_uri: publicUrl,
    redirect_uris: [`${publicUrl}/oauth/callback`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

/** Signs the team in to servers that ask for OAuth: with PKCE, for that server alone (RFC 8707). */
export function createMcpSignIn({ egress, credentials, publicUrl, metadataUrl }: SignInDeps) {
  const { client_id: ownUrl, ...clientMetadata } = clientMetadataOf(publicUrl)
  const renewals = new Map<string, Promise<void>>()
  const guarded = egress.fetchFor(teamRules({ allow: 'any', methods: ['GET', 'POST'], limits }))
  // a code or a secret is not sent on to where a redirect leads
  const fetchForAuth: GuardedFetch = (input, init) =>
    guarded(input, init?.method === 'POST' ? { ...init, redirect: 'error' } : init)

  /** What the library keeps between its steps; a person who is there can be sent to the other server. */
  function providerFor(
    target: SignInTarget,
    { held, person }: { held: McpCredential; person?: { id: string; onUrl(url: URL): void } },
  ): OAuthClientProvider {
    let now = held
    const keep = async (alter: (before: McpCredential) => McpCredential) => {
      now = await credentials.change(target, alter)
    }
    const state = `${target.name}.${randomBytes(24).toString('base64url')}`
    const { clientId, scope } = target.settings
    return {
      redirectUrl: `${publicUrl}/oauth/callback`,
      clientMetadata: { ...clientMetadata, ...(scope && { scope }) },
      // only an address that others can read and trust stands for a client
      ...(publicUrl.startsWith('https:') && { clientMetadataUrl: metadataUrl ?? ownUrl }),
      state: () => state,
      clientInformation: () =>
        clientId === undefined
          ? now.client
          : { client_id: clientId, ...(target.clientSecret && { client_secret: target.clientSecret }) },
      saveClientInformation: (client) => keep((before) => ({ ...before, client })),
      tokens: () => now.tokens,
      saveTokens: (tokens) =>
        keep(({ pending, wanted, ...before }) => {
          // tokens that are only renewed have no more rights than before
          return { ...before, ...(!pending && wanted !== undefined && { wanted }), tokens }
        }),
      redirectToAuthorization(url) {
        if (!person) throw new UnauthorizedError('a person must sign in')
        person.onUrl(url)
      },
      async saveCodeVerifier(verifier) {
        if (!person) throw new UnauthorizedError('a person must sign in')
        const pending = { state, verifier, personId: person.id, at: Date.now() }
        await keep((before) => ({ ...before, pending }))
      },
      codeVerifier() {
        if (!now.pending) throw new CoherexError('conflict', 'No sign-in is under way')
        return now.pending.verifier
      },
      saveDiscoveryState: (discovery) => keep((before) => ({ ...before, discovery })),
      discoveryState: () => now.discovery,
      invalidateCredentials: (what) =>
        keep((before) => {
          const next = { ...before }
          if (what === 'all' || what === 'client') delete next.client
          if (what === 'all' || what === 'tokens') delete next.tokens
          if (what === 'all' || what === 'discovery') delete next.discovery
          return next
        }),
    }
  }

  /** Words for what goes wrong; those of a stranger are not shown as ours. */
  async function guardedly<T>(target: SignInTarget, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof OAuthError || error instanceof OAuthClientFlowError)
        throw describeFailure(target.name, error, `could not be signed in to: ${error.message.slice(0, 300)}`)
      if (causeOf(error)) throw describeFailure(target.name, error)
      throw error
    }
  }

  /** Once for all calls that were refused at the same time: a refresh token may count only once. */
  function renew(target: SignInTarget, refused: string | undefined, challenge: Response): Promise<void> {
    const key = `${target.teamId}/${target.name}`
    const under = renewals.get(key)
    if (under) return under
    const renewal = (async () => {
      const held = await credentials.read(target)
      // another server of ours was quicker
      if (held.tokens && held.tokens.access_token !== refused) return
      if (!held.tokens?.refresh_token) throw new UnauthorizedError('a person must sign in')
      const { resourceMetadataUrl } = extractWWWAuthenticateParams(challenge)
      const provider = providerFor(target, { held })
      const options = {
        serverUrl: target.url,
        fetchFn: fetchForAuth,
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
      }
      await auth(provider, options)
    })().finally(() => renewals.delete(key))
    renewals.set(key, renewal)
    return renewal
  }

  return {
    /** For requests to the server, and to no other address: the token is renewed where the server refuses it. */
    authProvider(target: SignInTarget): AuthProvider {
      let sent: string | undefined
      return {
        async token() {
          sent = (await credentials.read(target)).tokens?.access_token
          return sent
        },
        onUnauthorized: ({ response }) => renew(target, sent, response),
      }
    },

    /** The address where an admin signs in; null where tokens that were there could be renewed. */
    async begin(caller: TeamCaller, target: SignInTarget): Promise<string | null> {
      return guardedly(target, async () => {
        const challenge = await askForChallenge(guarded, target.url)
        const { resourceMetadataUrl, scope: asked = target.settings.scope } = extractWWWAuthenticateParams(challenge)
        // what is known of the other server may be old
        const held = await credentials.change(target, ({ discovery: _, ...before }) => before)
        const scope = computeScopeUnion(asked, held.wanted)
        let found: URL | undefined
        const provider = providerFor(target, {
          held,
          person: { id: caller.person.id, onUrl: (url) => void (found = url) },
        })
        const result = await auth(provider, {
          serverUrl: target.url,
          fetchFn: fetchForAuth,
          ...(resourceMetadataUrl && { resourceMetadataUrl }),
          ...(scope && { scope }),
          // tokens cannot be renewed to more than they were given for
          forceReauthorization: held.wanted !== undefined && isStrictScopeSuperset(held.wanted, held.tokens?.scope),
        })
        if (result === 'AUTHORIZED') return null
        if (!found || !/^https?:$/.test(found.protocol))
          throw new CoherexError('unavailable', `MCP server "${target.name}" names no address to sign in at`)
        return found.href
      })
    },

    /** The server missed rights: the next sign-in asks for them beside those that are there. */
    async want(target: SignInTarget, scope: string): Promise<void> {
      await credentials.change(target, (held) => {
        const wanted = computeScopeUnion(held.wanted, held.tokens?.scope, scope) ?? scope
        return wanted.length > longestScope ? held : { ...held, wanted }
      })
    },

    /** Ends what `begin` began, for the person who began it. */
    async finish(caller: TeamCaller, target: SignInTarget, given: URLSearchParams): Promise<void> {
      const held = await credentials.read(target)
      const { pending } = held
      const isTheirs =
        pending !== undefined &&
        isSame(pending.state, given.get('state') ?? '') &&
        pending.personId === caller.person.id &&
        Date.now() - pending.at < longestSignInMs
      if (!isTheirs)
        throw new CoherexError('conflict', 'This sign-in is over, or was begun by somebody else: begin again')
      const code = given.get('code')
      if (!code) throw new CoherexError('conflict', `MCP server "${target.name}" did not agree to the sign-in`)
      const iss = given.get('iss')
      await guardedly(target, () =>
        auth(providerFor(target, { held }), {
          serverUrl: target.url,
          authorizationCode: code,
          fetchFn: fetchForAuth,
          ...(iss !== null && { iss }),
        }),
      )
    },
  }
}

export type McpSignIn = ReturnType<typeof createMcpSignIn>

/** The state of a sign-in begins with the name of its server. */
export function serverOfState(state: string): string {
  return state.split('.')[0] ?? ''
}

/** A request that shows nothing: the answer says where to sign in. */
async function askForChallenge(fetch: GuardedFetch, url: string): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  await response.body?.cancel()
  return response
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
