import { z } from 'zod'
import { definitionKind } from '../agents/definition-kind.ts'
import { health } from '../wire/health.ts'
import { route } from '../wire/route.ts'

export const system = {
  health: route({
    method: 'get',
    path: '/healthz',
    summary: 'Whether the server is up and which runtimes it has',
    tag: 'System',
    access: 'anyone',
    response: health,
  }),
  openapi: route({
    method: 'get',
    path: '/api/v1/openapi.json',
    summary: 'This API as OpenAPI',
    tag: 'System',
    access: 'anyone',
    response: z.record(z.string(), z.unknown()),
  }),
  schema: route({
    method: 'get',
    path: '/api/v1/schemas/{kind}',
    summary:
      'The JSON Schema of a definition, for editors: agent, tool (tool.yaml) or skill (front matter of SKILL.md)',
    tag: 'System',
    access: 'anyone',
    params: z.object({ kind: definitionKind }),
    response: z.record(z.string(), z.unknown()),
  }),
}
