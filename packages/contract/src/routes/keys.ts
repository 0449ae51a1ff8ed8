import { z } from 'zod'
import { scope } from '../access/access.ts'
import { apiKey, lineOfText } from '../access/people.ts'
import { idOf } from '../wire/id.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { moment } from '../wire/time.ts'

const tag = 'API keys'

export const keys = {
  list: route({
    method: 'get',
    path: '/api/v1/keys',
    summary: 'Your keys; an admin sees the team’s',
    tag,
    access: { role: 'viewer', scope: 'admin' },
    query: pageQuery,
    response: pageOf(apiKey),
  }),
  create: route({
    method: 'post',
    path: '/api/v1/keys',
    summary: 'Make a key that acts for you in the current team; its secret is shown once',
    tag,
    access: { role: 'viewer', scope: 'admin' },
    status: 201,
    idempotent: false,
    body: z.strictObject({
      name: lineOfText(80),
      scopes: z.array(scope).min(1).max(4),
      expiresAt: moment.optional(),
    }),
    response: apiKey.extend({ key: z.string() }),
  }),
  revoke: route({
    method: 'delete',
    path: '/api/v1/keys/{id}',
    summary: 'Revoke a key at once',
    tag,
    access: { role: 'viewer', scope: 'admin' },
    params: z.object({ id: idOf('key') }),
  }),
}
