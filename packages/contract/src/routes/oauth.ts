import { z } from 'zod'
import { consentDecision, consentDetails, consentRequest } from '../access/oauth.ts'
import { route } from '../wire/route.ts'

const tag = 'OAuth'
const document = z.record(z.string(), z.unknown())
const open = { method: 'get', tag, access: 'anyone', response: document } as const
const form = { method: 'post', tag, access: 'anyone', body: 'bytes', idempotent: false } as const

export const oauth = {
  resource: route({
    ...open,
    path: '/.well-known/oauth-protected-resource',
    summary: 'Where clients of MCP get in (RFC 9728)',
  }),
  resourceOfMcp: route({
    ...open,
    path: '/.well-known/oauth-protected-resource/mcp',
    summary: 'The same, below the path of the resource',
  }),
  server: route({
    ...open,
    path: '/.well-known/oauth-authorization-server',
    summary: 'How clients get tokens (RFC 8414)',
  }),
  register: route({
    ...form,
    path: '/oauth/register',
    summary: 'Register a client (RFC 7591); one with a site of its own names its metadata there instead',
    status: 201,
    response: document,
  }),
  token: route({ ...form, path: '/oauth/token', summary: 'A code or a refresh token for tokens', response: document }),
  revoke: route({
    ...form,
    path: '/oauth/revoke',
    summary: 'End what a token was granted (RFC 7009)',
    response: 'text',
  }),
  describe: route({
    method: 'get',
    path: '/api/v1/oauth/request',
    summary: 'What a client asks of you, and which of your teams you can choose',
    tag,
    access: 'person',
    query: consentRequest,
    response: consentDetails,
    refusals: ['not_found'],
  }),
  decide: route({
    method: 'post',
    path: '/api/v1/oauth/decision',
    summary: 'Let a client into one team, or refuse; answers where to go next',
    tag,
    access: 'person',
    idempotent: false,
    body: consentDecision,
    response: z.object({ redirectTo: z.string() }),
    refusals: ['not_found'],
  }),
}
