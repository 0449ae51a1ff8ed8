import { sampleOf } from '@coherex/contract'
import { rebase, toArguments, withoutName, type ExportedTool } from './exported-tool.ts'

const print = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

/** One operation of the server, for whatever reads OpenAPI 3.1. */
export function toOpenApi({ name, description, pinned, version, input, output, url }: ExportedTool): string {
  const at = (part: string) => ({ $ref: `#/components/schemas/${part}` })
  const fail = (what: string) => ({ description: what, content: { 'application/json': { schema: at('Error') } } })
  const asked = { input: at('Input'), ...(pinned !== undefined && { version: { const: pinned } }) }
  return print({
    openapi: '3.1.0',
    info: { title: name, description, version: String(version) },
    servers: [{ url }],
    security: [{ key: [] }],
    paths: {
      [`/api/v1/tools/${name}/call`]: {
        post: {
          operationId: name,
          summary: description.split('\n', 1)[0]?.slice(0, 120),
          description,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: { type: 'object', required: Object.keys(asked), properties: asked } },
            },
          },
          responses: {
            200: {
              description: 'The output, unless the run failed',
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    required: ['run'],
                    properties: { output: at('Output'), run: at('Run') },
                  },
                },
              },
            },
            400: fail('The input does not fit'),
            401: fail('The key is not valid'),
            404: fail('There is no such tool'),
            409: fail('The tool is not published'),
            429: fail('The quota is used up'),
          },
        },
      },
    },
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Input: rebase(withoutName(input), '/components/schemas/Input'),
        Output: rebase(withoutName(output), '/components/schemas/Output'),
        Run: {
          type: 'object',
          required: ['id', 'status'],
          properties: {
            id: { type: 'string' },
            status: { type: 'string' },
            error: { type: 'object', properties: { kind: { type: 'string' }, message: { type: 'string' } } },
          },
        },
        Error: {
          type: 'object',
          required: ['error'],
          properties: {
            error: {
              type: 'object',
              required: ['code', 'message'],
              properties: { code: { type: 'string' }, message: { type: 'string' } },
            },
          },
        },
      },
    },
  })
}

/** As a server of the Model Context Protocol lists it. */
export function toMcp(tool: ExportedTool): string {
  const { name, description, output } = tool
  const isObject = typeof output === 'object' && output['type'] === 'object'
  return print({
    name,
    description,
    inputSchema: toArguments(tool).schema,
    // the protocol knows objects only
    ...(isObject && { outputSchema: withoutName(output) }),
  })
}

export function toCurl({ name, pinned, input, url }: ExportedTool, example: unknown): string {
  const body = { input: example ?? sampleOf(input), ...(pinned !== undefined && { version: pinned }) }
  // a mark within such a text is written outside of it
  const quoted = `'${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`
  return `curl -sS "\${COHEREX_URL:-${url}}/api/v1/tools/${name}/call" \\
  -H "authorization: Bearer $COHEREX_API_KEY" \\
  -H 'content-type: application/json' \\
  -d ${quoted}
`
}
