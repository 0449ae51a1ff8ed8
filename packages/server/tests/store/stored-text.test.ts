import { allRoutes, routes, type Route } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { startChatServer, type ChatServer } from '../harness/outside/chat-server.ts'
import { startNpmRegistry, type NpmRegistry } from '../harness/outside/npm-registry.ts'
import { leastOf, requestFields, type RequestField } from '../harness/request-fields.ts'
import { initOf, pathOf, routeSamples, type SampleRequest } from '../harness/route-samples.ts'
import { createScene, type Scene } from '../harness/scene.ts'
import { startTestServer, type TestServer } from '../harness/test-server.ts'

// with a form and without one
const spoil = (text: string) => ['a\0b', 'a\ud800b', `${text}\0`, `${text}\ud800`]

/** Texts that schemas with a form take, the most usual first. */
const forms = [
  'a.txt',
  'iVBORw0KGgo=',
  'sample',
  'active',
  'user',
  'SAMPLE',
  'a@example.com',
  'a password of some length',
  'compatible/scripted',
  'https://git.example/a.git',
  '2100-01-01T00:00:00Z',
  'step-start',
  'image/png',
  'data:image/png;base64,iVBORw0KGgo=',
  '0 8 * * *',
  '0'.repeat(64),
  '10m',
  'msg_00000000000000000000000000',
  'prp_00000000000000000000000000',
  'cel_00000000000000000000000000',
  'agent:coder',
  'person',
  'approval',
]

const textsOf = ({ ours }: Scene) => ['a.txt', ours.agentName, ...forms, ...Object.values(ours)]

/** Each of these answered 500 before the contract refused such text. */
const failedOnce = [
  'patch /me body.name',
  'post /teams body.name',
  'patch /team body.name',
  'post /keys body.name',
  'post /sandboxes body.name',
  'post /sandboxes body.env.*',
  'post /sandboxes/{id}/fork body.name',
  'post /templates body.description',
  'post /templates body.files.*',
  'post /templates body.start',
  'post /workspaces body.name',
  'patch /workspaces/{id} body.name',
  'put /models/default body.model',
  'post /threads body.workspaceId',
  'post /threads body.model',
  'post /threads body.title',
  'patch /threads/{id} body.title',
  'patch /threads/{id} body.model',
  'post /threads/{id}/turns body.model',
  'post /threads/import body.agent',
  'post /agents/{name}/execute body.input',
  'post /agents/{name}/execute body.input.*',
  'post /agents/{name}/execute body.input.{name}',
  'post /agents/{name}/execute body.model',
  'post /v1/chat/completions body.model',
]

let chat: ChatServer
let registry: NpmRegistry
let server: TestServer
let scene: Scene

beforeAll(async () => {
  chat = await startChatServer()
  registry = await startNpmRegistry()
  server = await startTestServer({
    COHEREX_COMPATIBLE_BASE_URL: chat.url,
    COHEREX_REQUESTS_PER_SECOND: '100000',
    COHEREX_NPM_REGISTRY: registry.url,
  })
  scene = await createScene(server)
  const { agentName } = scene.ours
  await scene.operator.call(routes.agents.change, { params: { name: agentName }, body: { status: 'active' } })
}, 120_000)
afterAll(async () => {
  await server.stop()
  await chat.stop()
  await registry.close()
})

const nameOf = (route: Route, field: RequestField) =>
  `${route.method} ${route.path.replace('/api/v1', '')} ${field.part}.${field.path}`

test('requests refuse NUL and half a character everywhere but in contents of files, input of guests and definitions', () => {
  const takes = (route: Route, { part, put }: RequestField, value: string) =>
    (route[part] as z.ZodType).safeParse(put(value)).success
  const taking = new Set<string>()
  const unproven = new Set<string>()
  for (const route of allRoutes) {
    for (const field of requestFields(route, textsOf(scene))) {
      if (field.kind === 'number') continue
      // refused for another reason, it would prove nothing
      if (!takes(route, field, field.example)) unproven.add(nameOf(route, field))
      if (spoil(field.example).some((value) => takes(route, field, value))) taking.add(nameOf(route, field))
    }
  }
  expect([...unproven]).toEqual([
    // beside a text, and of no known kind; both have a form that such text does not fit
    'post /workspaces/{id}/changes body.write.0.base64',
    'post /threads/import body.messages.0.parts.0.type',
    // beside another thing to share; ids and paths have a form that such text does not fit
    ...['threadId', 'workspaceId', 'path'].map((name) => `post /shares body.${name}`),
    // takes no entry at all
    'post /v1/chat/completions body.logit_bias.{name}',
  ])
  // fields of OpenAI's clients that we do not know are not read
  expect(
    new Set([...taking].filter((one) => !/^post \/v1\/(?:chat|responses|embeddings)\S* \S+(\*|\{name\})$/.test(one))),
  ).toEqual(
    new Set([
      // a route is told for a program that is not kept
      ...['code', 'files.*', 'input', 'input.*', 'input.{name}', 'stdin'].flatMap((path) => [
        `post /runs body.${path}`,
        `post /runs/route body.${path}`,
      ]),
      // text of an editor that is asked about and not kept
      'post /sandboxes/{id}/complete body.code',
      ...['prefix', 'suffix'].map((path) => `post /suggest body.${path}`),
      ...['text', 'error'].map((path) => `post /assist body.${path}`),
      'post /runs/{id}/stdin body.text',
      'post /runs/{id}/fix body.stdin',
      'post /sandboxes/{id}/cells body.source',
      'patch /sandboxes/{id}/cells/{cellId} body.source',
      'post /sandboxes/{id}/processes/{pid}/stdin body.text',
      'post /workspaces/{id}/changes body.write.0.text',
      'post /agents/validate body.source',
      'post /agents body.source',
      'put /agents/{name} body.source',
      ...reported('post /threads/{id}/messages/{messageId}/executions'),
      ...reported('post /artifacts/{id}/executions'),
      'post /skills/validate body.files.*',
      'put /skills/{name} body.files.*',
      'post /tools body.files.*',
      'post /tools/validate body.files.*',
      // a schema and a value that are compared and not kept
      ...['schema.*', 'schema.*.*', 'schema.*.{name}', 'value', 'value.*', 'value.{name}'].map(
        (path) => `post /tools/check body.${path}`,
      ),
      'post /tools/{name}/call body.input',
      'post /tools/{name}/call body.input.*',
      'post /tools/{name}/call body.input.{name}',
    ]),
  )
})

/** What a browser reports of code that it ran: output of guests, kept as that of a run. */
function reported(route: string): string[] {
  const data = 'output.0.data.*'
  const result = ['result', 'result.*', 'result.{name}', 'resultText']
  return ['output.0.text', data, `${data}.*`, `${data}.{name}`, ...result, 'error.message', 'error.stack'].map(
    (path) => `${route} body.report.${path}`,
  )
}

test('no field of any request makes the server fail', { timeout: 600_000 }, async () => {
  const texts = textsOf(scene)
  const visited: string[] = []
  const failed: string[] = []
  for (const route of allRoutes) {
    const least = leastRequest(route, texts)
    for (const field of requestFields(route, texts)) {
      visited.push(nameOf(route, field))
      const values = valuesFor(field)
      const statuses = await Promise.all(values.map((value) => send(route, least, field, value)))
      const odd = values.filter((_, at) => (statuses[at] ?? 0) >= 500)
      failed.push(...odd.map((value) => `${nameOf(route, field)}: ${JSON.stringify(value).slice(0, 20)}`))
    }
  }
  expect(failed).toEqual([])
  expect(visited.length).toBeGreaterThan(450)
  expect(visited).toEqual(expect.arrayContaining(failedOnce))
})

function valuesFor({ kind, part, example }: RequestField): unknown[] {
  if (part !== 'body')
    return ['a%00b', 'a%ED%A0%80b', '%FF', '%E0%A4%A', '1e300', '-1', '9007199254740993', 'x'.repeat(5_000)]
  return kind === 'number' ? [1e300, -1, 2 ** 53, 2 ** 31, 0.5] : [...spoil(example), 'x'.repeat(100_000)]
}

/** The least that a route takes, about things of ours; about nothing where it would be removed. */
function leastRequest(route: Route, texts: string[]): SampleRequest {
  const sample = routeSamples.get(route)
  const named = (route.method === 'delete' ? sample?.request(scene) : sample?.ours?.(scene)) ?? {}
  return {
    ...(route.params && { params: { ...(leastOf(route.params, texts) as object), ...named.params } }),
    ...(route.query && { query: { ...(leastOf(route.query, texts) as object), ...named.query } }),
    ...(route.body && route.body !== 'bytes' && { body: leastOf(route.body, texts) }),
  }
}

async function send(route: Route, least: SampleRequest, { part, path, put }: RequestField, value: unknown) {
  // what stands in an address is written as it comes: no encoder makes bytes that are no text
  const mark = 'written-as-it-comes'
  const request: SampleRequest =
    part === 'body' ? { ...least, body: put(value) } : { ...least, [part]: { ...least[part], [path]: mark } }
  const leaves = new AbortController()
  const address = pathOf(route, request).replace(mark, () => String(value))
  const { status } = await scene.operator.fetch(address, { ...initOf(route, request), signal: leaves.signal })
  leaves.abort()
  return status
}
