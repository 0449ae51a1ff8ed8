import { allRoutes, chatError, errorStatus, type ErrorCode, type Route } from '@coherex/contract'
import { z } from 'zod'
import { isOpenAiPath } from './chat-error.ts'

export interface OpenApi extends Record<string, unknown> {
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: {
    name: string
    in: 'path' | 'query' | 'header'
    required: boolean
    schema: JsonSchema
    description?: string
  }[]
  requestBody?: { required: true; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, Answer | { $ref: string }>
  security: Record<string, string[]>[]
}

export interface Answer {
  description: string
  content?: Record<string, { schema: JsonSchema }>
}

export type JsonSchema = Record<string, unknown>

/** The contract's routes as an OpenAPI 3.1 document. */
export function createOpenApi(version: string): OpenApi {
  const paths: OpenApi['paths'] = {}
  const shared = new Map<string, string>()
  for (const route of allRoutes) {
    const path = (paths[route.path] ??= {})
    path[route.method] = toOperation(route, shared)
  }
  const schemas = Object.fromEntries(
    Array.from(shared, ([text, name]) => [
      name,
      JSON.parse(text.replaceAll(selfReference, referenceTo(name))) as JsonSchema,
    ]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Coherex',
      version,
      description:
        'Send `Authorization: Bearer <API key>`. Errors are `{ "error": { "code", "message", "details"? } }`.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    // relative to where the document was fetched: whoever reads it learns nothing of the host
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'coherex.session_token' },
      },
      schemas: { Error: errorSchema, ChatError: toSchema(chatError, 'output', shared), ...schemas },
      responses: Object.fromEntries(
        ['Error', 'ChatError'].flatMap((schema) =>
          Object.entries(refusalSentences).map(([code, description]) => [
            refusalName(code as ErrorCode, schema),
            { description, content: { 'application/json': { schema: { $ref: referenceTo(schema) } } } },
          ]),
        ),
      ),
    },
  }
}

const refusalSentences: Record<Exclude<ErrorCode, 'method_not_allowed'>, string> = {
  invalid_input: 'A parameter or the body is wrong; `details` names the fields',
  unauthenticated: 'Nobody is signed in, or the key, the session or the token does not count',
  forbidden: 'The role, the scope of the key, the host name or the page that sent it does not allow this',
  not_found: 'What the request names is not there, or belongs to another team',
  conflict: 'The state of it does not allow this, or an `Idempotency-Key` is in use',
  too_large: 'The body, or what it would make, is too large',
  quota_exceeded: 'Too many requests, or a quota of the team is used up; `Retry-After` says when to try again',
  internal: 'Something went wrong on the server, which has the reason in its log',
  unavailable: 'What it needs is not there right now; `Retry-After` says when to try again',
}

/** `NotFound`, and `ChatNotFound` in the words of OpenAI. */
function refusalName(code: ErrorCode, schema: string): string {
  const name = code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return `${schema.replace('Error', '')}${name}`
}

/** How a route can refuse, as its form tells. Each can meet a foreign host name, a limit of requests and a server in trouble. */
function refusalsOf({ method, access, params, query, body, refusals = [] }: Route): Set<ErrorCode> {
  return new Set<ErrorCode>([
    ...((params ?? query ?? body) || method === 'post' ? (['invalid_input'] as const) : []),
    // what is open to anyone may take a password or a token in its body
    ...(access === 'anyone' && !body ? [] : (['unauthenticated'] as const)),
    ...((params ?? body) ? (['not_found'] as const) : []),
    ...(method === 'get' ? [] : (['conflict'] as const)),
    ...(body ? (['too_large'] as const) : []),
    ...(['forbidden', 'quota_exceeded', 'internal', 'unavailable'] as const),
    ...refusals,
  ])
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { enum: Object.keys(errorStatus) }, message: { type: 'string' }, details: {} },
    },
  },
}

function toOperation(route: Route, shared: Map<string, string>): Operation {
  const idempotent = route.method === 'post' && route.idempotent !== false
  const errorName = isOpenAiPath(route.path) ? 'ChatError' : 'Error'
  return {
    operationId: `${route.method}${route.path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W/g, '')}`,
    summary: route.summary,
    description: [route.description, accessSentence(route)].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    parameters: [
      ...toParameters('path', route.params, shared),
      ...toParameters('query', route.query, shared),
      ...(idempotent ? [idempotencyParameter] : []),
    ],
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: toContent(route.body, shared),
          },
        }
      : {}),
    responses: {
      [String(route.status ?? (route.response ? 200 : 204))]: toSuccess(route, shared),
      ...toOtherAnswers(route, shared),
      ...Object.fromEntries(
        Array.from(refusalsOf(route), (code) => [
          errorStatus[code],
          { $ref: `#/components/responses/${refusalName(code, errorName)}` },
        ]),
      ),
      default: {
        description: 'Refused, with a code and a message',
        content: { 'application/json': { schema: { $ref: referenceTo(errorName) } } },
      },
    },
    security: securityOf(route),
  }
}

function toContent(
  body: NonNullable<Route['body']>,
  shared: Map<string, string>,
): Record<string, { schema: JsonSchema }> {
  if (body === 'bytes') return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  return { 'application/json': { schema: toSchema(body, 'input', shared) } }
}

const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  schema: { type: 'string', maxLength: 200 },
  description: 'The same key within a day answers what the first request answered',
}

function toParameters(
  place: 'path' | 'query',
  schema: z.ZodObject | undefined,
  shared: Map<string, string>,
): Operation['parameters'] {
  return Object.entries(schema?.shape ?? {}).map(([name, one]) => {
    const field = one as z.ZodType
    return {
      name,
      in: place,
      required: place === 'path' || !field.safeParse(undefined).success,
      schema: toSchema(field, 'input', shared),
      ...(field.description ? { description: field.description } : {}),
    }
  })
}

function toSuccess(route: Route, shared: Map<string, string>): Answer {
  if (!route.response) return { description: 'Done' }
  if (route.response === 'text') return { description: 'A file', content: { '*/*': { schema: { type: 'string' } } } }
  return {
    description: 'Success',
    content: { 'application/json': { schema: toSchema(route.response, 'output', shared) } },
  }
}

const withoutContent = new Set(['204', '416'])

function toOtherAnswers(route: Route, shared: Map<string, string>): Record<string, Answer> {
  const waits = route.query && 'wait' in route.query.shape ? { 202: 'It has begun, and is not waited for' } : {}
  const others = Object.entries({ ...waits, ...route.otherAnswers })
  return Object.fromEntries(
    others.map(([status, description]) => [
      status,
      withoutContent.has(status) ? { description } : { ...toSuccess(route, shared), description },
    ]),
  )
}

const selfReference = '#/$defs/self'
const referenceTo = (name: string) => `#/components/schemas/${name}`

/**
 * A schema without references of its own: what zod puts aside because it contains itself (any JSON, a tree) becomes a
 * schema of the document. `shared` knows those by their text, so that each is there once.
 */
function toSchema(schema: z.ZodType, io: 'input' | 'output', shared: Map<string, string>): JsonSchema {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as JsonSchema
  const { $schema: _, $defs = {}, ...rest } = made as { $schema?: string; $defs?: Record<string, JsonSchema> }
  let text = JSON.stringify(rest)
  for (const [key, definition] of Object.entries($defs)) {
    const own = JSON.stringify(definition).replaceAll(`"#/$defs/${key}"`, `"${selfReference}"`)
    const name = shared.get(own) ?? `Shared${shared.size + 1}`
    shared.set(own, name)
    text = text.replaceAll(`"#/$defs/${key}"`, `"${referenceTo(name)}"`)
  }
  return JSON.parse(text) as JsonSchema
}

function accessSentence({ access }: Route): string {
  if (access === 'anyone') return 'Open to anyone.'
  if (access === 'caller') return 'For anyone signed in, by session or API key.'
  if (access === 'person') return 'For signed-in people; API keys may not.'
  if (access === 'operator') return 'For operators of the installation; a key needs the scope `admin`.'
  if (access.by === 'session') return `Takes the role \`${access.role}\`, signed in; API keys may not.`
  return `Takes the role \`${access.role}\`; a key needs the scope \`${access.scope}\`.`
}

function securityOf({ access }: Route): Operation['security'] {
  if (access === 'anyone') return []
  const isForPeople = access === 'person' || (typeof access === 'object' && access.by === 'session')
  return isForPeople ? [{ session: [] }] : [{ key: [] }, { session: [] }]
}
