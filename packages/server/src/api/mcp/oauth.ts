import { routes } from '@coherex/contract'
import type { Context, Hono } from 'hono'
import { createRateLimiter, OAuthError } from '../../access/index.ts'
import type { Api } from '../api.ts'
import { mount } from '../http/mount.ts'
import { readBytes } from '../http/requests/read-body.ts'
import type { Env } from '../http/requests/request-context.ts'

const { oauth: route } = routes
const largestForm = 16 * 1024
/** Where the studio asks a person. */
const consentPath = '/oauth/authorize'

/** OAuth 2.1 for clients of MCP: what they read of us, and how they get, renew and give back tokens. */
export function mountOAuth(app: Hono<Env>, api: Api): void {
  const { publicUrl } = api
  // ten at once from one address, then one in a minute
  const limitRegistrations = createRateLimiter({ burst: 10, perSecond: 1 / 60 })

  const describeResource = async () => ({
    resource: api.access.oauth.resource,
    authorization_servers: [publicUrl],
    scopes_supported: api.access.oauth.scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Coherex',
    resource_documentation: `${publicUrl}/settings/mcp`,
  })
  mount(app, api, route.resource, describeResource)
  mount(app, api, route.resourceOfMcp, describeResource)

  mount(app, api, route.server, async () => ({
    issuer: publicUrl,
    authorization_endpoint: publicUrl + consentPath,
    token_endpoint: publicUrl + route.token.path,
    registration_endpoint: publicUrl + route.register.path,
    revocation_endpoint: publicUrl + route.revoke.path,
    scopes_supported: api.access.oauth.scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }))

  mount(app, api, route.register, async ({ context }) => {
    const admit = () => limitRegistrations(context.get('clientAddress') ?? '')
    const text = (await readBytes(context, largestForm)).toString('utf8')
    return answer(context, async () => context.json(await api.access.oauth.register(parseJson(text), admit), 201))
  })

  mount(app, api, route.token, async ({ context }) => {
    const form = await readForm(context)
    return answer(context, async () => context.json(await api.access.oauth.exchange(form)))
  })

  mount(app, api, route.revoke, async ({ context }) => {
    const form = await readForm(context)
    return answer(context, async () => {
      await api.access.oauth.revokeToken(form)
      return context.body(null, 200)
    })
  })

  mount(app, api, route.describe, async ({ query, caller }) => api.access.oauth.describe(caller, query))
  mount(app, api, route.decide, async ({ body, caller }) => api.access.oauth.decide(caller, body))
}

async function answer(context: Context<Env>, work: () => Promise<Response>): Promise<Response> {
  context.header('cache-control', 'no-store')
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const status = error.code === 'temporarily_unavailable' ? 503 : 400
    return context.json({ error: error.code, error_description: error.message }, status)
  }
}

async function readForm(context: Context<Env>): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams((await readBytes(context, largestForm)).toString('utf8')))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
