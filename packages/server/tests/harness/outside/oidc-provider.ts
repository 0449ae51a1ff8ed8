import { createHash, createHmac, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What the provider does wrong, and for whom it vouches. */
export interface Behaviour {
  claims: Record<string, unknown>
  /** Changes the claims of the id token after they were made. */
  tamper?: (claims: Record<string, unknown>) => Record<string, unknown>
  sign?: 'RS256' | 'none' | 'HS256' | 'other-key'
  withoutIdToken?: true
}

export interface OidcProvider {
  issuer: string
  clientId: string
  clientSecret: string
  behave(behaviour: Behaviour): void
  /** What a browser is sent back with once the person agreed at `url`. */
  agree(url: string): Promise<string>
  /** What the token endpoint was asked. */
  exchanges: { params: Record<string, string>; accepted: boolean }[]
  /** While it is away nobody gets through to it; its port stays its own. */
  leave(): void
  comeBack(): void
  stop(): Promise<void>
}

/** A small OpenID provider on loopback, strict about PKCE, that can be told to misbehave. */
export async function startOidcProvider(): Promise<OidcProvider> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const otherKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const clientId = 'coherex'
  const clientSecret = 'a client secret, CANARY'
  const codes = new Map<string, { nonce: string; challenge: string }>()
  const exchanges: OidcProvider['exchanges'] = []
  let behaviour: Behaviour = { claims: {} }
  let isAway = false

  const server = createServer((request, response) => {
    void answer(request).then(({ status = 200, headers = {}, body }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    })
  })
  server.on('connection', (socket) => {
    if (isAway) socket.resetAndDestroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/.well-known/openid-configuration') {
      return {
        body: {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          id_token_signing_alg_values_supported: ['RS256'],
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
        },
      }
    }
    if (url.pathname === '/jwks') {
      return {
        body: { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] },
      }
    }
    if (url.pathname === '/authorize') return authorize(url.searchParams)
    if (url.pathname === '/token') return exchange(request)
    return { status: 404, body: {} }
  }

  function authorize(params: URLSearchParams): Answer {
    if (params.get('client_id') !== clientId || params.get('code_challenge_method') !== 'S256') return { status: 400 }
    const code = randomUUID()
    codes.set(code, { nonce: params.get('nonce') ?? '', challenge: params.get('code_challenge') ?? '' })
    const back = new URL(params.get('redirect_uri') ?? '')
    back.searchParams.set('code', code)
    back.searchParams.set('state', params.get('state') ?? '')
    return { status: 302, headers: { location: back.href } }
  }

  async function exchange(request: IncomingMessage): Promise<Answer> {
    const params = Object.fromEntries(new URLSearchParams(await text(request)))
    const known = codes.get(params['code'] ?? '')
    const verifier = createHash('sha256')
      .update(params['code_verifier'] ?? '')
      .digest('base64url')
    const accepted = known?.challenge === verifier && codes.delete(params['code'] ?? '')
    exchanges.push({ params, accepted })
    if (!accepted || !known) return { status: 400, body: { error: 'invalid_grant' } }
    const seconds = Math.floor(Date.now() / 1000)
    const claims = {
      iss: issuer,
      aud: clientId,
      iat: seconds,
      exp: seconds + 300,
      nonce: known.nonce,
      ...behaviour.claims,
    }
    const idToken = signToken(behaviour.tamper?.(claims) ?? claims)
    return {
      body: {
        access_token: 'access-token-CANARY',
        refresh_token: 'refresh-token-CANARY',
        token_type: 'Bearer',
        expires_in: 300,
        ...(behaviour.withoutIdToken ? {} : { id_token: idToken }),
      },
    }
  }

  function signToken(claims: Record<string, unknown>): string {
    const how = behaviour.sign ?? 'RS256'
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const head = `${part({ alg: how === 'other-key' ? 'RS256' : how, kid: 'one', typ: 'JWT' })}.${part(claims)}`
    if (how === 'none') return `${head}.`
    if (how === 'HS256') {
      // the confusion of old: the public key taken for a shared secret
      const pem = keys.publicKey.export({ format: 'pem', type: 'spki' })
      return `${head}.${createHmac('sha256', pem).update(head).digest('base64url')}`
    }
    const { privateKey } = how === 'other-key' ? otherKeys : keys
    return `${head}.${createSign('RSA-SHA256').update(head).sign(privateKey, 'base64url')}`
  }

  return {
    issuer,
    clientId,
    clientSecret,
    exchanges,
    behave: (next) => (behaviour = next),
    async agree(url) {
      const response = await fetch(url, { redirect: 'manual' })
      return response.headers.get('location') ?? ''
    },
    leave() {
      isAway = true
      server.closeAllConnections()
    },
    comeBack: () => void (isAway = false),
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: object
}
