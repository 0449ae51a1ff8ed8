import { z } from 'zod'
import { template, templateRequest } from '../../runs/sandbox.ts'
import { pageOf, pageQuery } from '../../wire/page.ts'
import { route } from '../../wire/route.ts'
import { text } from '../../wire/text.ts'

const tag = 'Templates'
const params = z.object({ name: text().min(1).max(60) })
const look = { role: 'viewer', scope: 'read' } as const
const use = { role: 'editor', scope: 'run' } as const

export const templates = {
  build: route({
    method: 'post',
    path: '/api/v1/templates',
    summary: 'Build the next version of a template: packages, files and a start command',
    description:
      'Packages are resolved by the team’s rules and locked: every sandbox of this version has the same. Answers when they are there.',
    tag,
    access: use,
    status: 201,
    body: templateRequest,
    response: template,
  }),
  list: route({
    method: 'get',
    path: '/api/v1/templates',
    summary: 'Templates of the team in their newest version, by name',
    tag,
    access: look,
    query: pageQuery,
    response: pageOf(template),
  }),
  get: route({
    method: 'get',
    path: '/api/v1/templates/{name}',
    summary: 'A template in its newest version, or the one named as name@version',
    tag,
    access: look,
    params: z.object({ name: text().min(1).max(70) }),
    response: template,
  }),
  remove: route({
    method: 'delete',
    path: '/api/v1/templates/{name}',
    summary: 'Delete a template with all its versions; sandboxes keep the files they have of it',
    tag,
    access: use,
    params,
  }),
}
