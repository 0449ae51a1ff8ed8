import { z } from 'zod'
import { secret, secretName } from '../access/secrets.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'Secrets'
const params = z.object({ name: secretName })

export const secrets = {
  list: route({
    method: 'get',
    path: '/api/v1/secrets',
    summary: 'Names of the team’s secrets; values are never returned',
    tag,
    access: { role: 'editor', scope: 'read' },
    query: pageQuery,
    response: pageOf(secret),
  }),
  put: route({
    method: 'put',
    path: '/api/v1/secrets/{name}',
    summary: 'Store a secret, replacing one of the same name',
    tag,
    access: { role: 'admin', scope: 'admin' },
    params,
    body: z.strictObject({ value: text().min(1).max(65_536) }),
    response: secret,
  }),
  remove: route({
    method: 'delete',
    path: '/api/v1/secrets/{name}',
    summary: 'Delete a secret',
    tag,
    access: { role: 'admin', scope: 'admin' },
    params,
  }),
}
