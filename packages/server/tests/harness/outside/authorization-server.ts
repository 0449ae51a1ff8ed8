import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error -- the package brings no types
import Provider from 'oidc-provider'

export interface AuthorizationServer {
  issuer: string
  port: number
  /** What reached its token endpoint. */
  grants: Record<string, string>[]
  /** Goes through sign-in and consent as a person would; answers with where the browser is sent in the end. */
  agree(url: string): Promise<string>
  /** Whether a token is one for that resource. */
  admits(authorization: string | undefined, resource: string): Promise<boolean>
  /** Tokens that were given until now count no longer; refresh tokens do. */
  expireTokens(): void
  stop(): Promise<void>
}

/** The authorisation server of a remote MCP server: `oidc-provider`, with PKCE, resource indicators and registration. */
export async function startAuthorizationServer(resource: () => string): Promise<AuthorizationServer> {
  const http: Server = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const grants: Record<string, string>[] = []
  const expired = new Set<string>()
  const given = new Set<string>()

  const provider = new Provider(issuer, {
    features: {
      registration: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        getResourceServerInfo: (_: unknown, asked: string) => {
          if (asked !== resource()) throw new Error('unknown resource')
          return { scope: 'tools', audience: asked, accessTokenFormat: 'opaque', accessTokenTTL: 3600 }
        },
        useGrantedResource: () => true,
      },
    },
    pkce: { required: () => true },
    scopes: ['openid', 'offline_access', 'tools'],
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 3600, RefreshToken: 3600, AuthorizationCode: 60 },
  }) as {
    callback(): Parameters<Server['on']>[1]
    use(middleware: (context: KoaContext, next: () => Promise<void>) => Promise<void>): void
    AccessToken: { find(token: string): Promise<{ aud?: string } | undefined> }
  }
  provider.use(async (context, next) => {
    await next()
    if (context.path !== '/token') return
    grants.push({ ...context.oidc?.params })
    const token = (context.body as { access_token?: string } | undefined)?.access_token
    if (token) given.add(token)
  })
  http.on('request', provider.callback())

  return {
    issuer,
    port,
    grants,
    async agree(url) {
      const cookies = new Map<string, string>()
      let next = url
      let body: URLSearchParams | undefined
      for (let hops = 0; hops < 20; hops++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(next, {
          redirect: 'manual',
          headers: { cookie },
          ...(body && { method: 'POST', body }),
        })
        body = undefined
        for (const one of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
          cookies.set(name, value)
        }
        const location = response.headers.get('location')
        if (location) {
          next = new URL(location, next).href
          if (!next.startsWith(issuer)) return next
          continue
        }
        const page = await response.text()
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
        if (prompt === undefined) throw new Error(`no form at ${next}: ${response.status} ${page.slice(0, 500)}`)
        next = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', next).href
        body = new URLSearchParams({ prompt, login: 'ann', password: 'any' })
      }
      throw new Error('it never ends')
    },
    async admits(authorization, audience) {
      const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1]
      if (token === undefined || expired.has(token)) return false
      return (await provider.AccessToken.find(token))?.aud === audience
    },
    expireTokens() {
      for (const token of given) expired.add(token)
    },
    async stop() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

interface KoaContext {
  path: string
  body: unknown
  oidc?: { params?: Record<string, string> }
}
