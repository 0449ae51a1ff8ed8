import { allRoutes, routes, type Route } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenApi } from '../../src/api/http/answers/openapi.ts'
import { launchChromium } from '../harness/chromium.ts'
import { initOf, pathOf, routeSamples } from '../harness/route-samples.ts'
import { createScene, type Scene } from '../harness/scene.ts'
import { startTestServer, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let scene: Scene
let document: OpenApi & Record<string, unknown>

beforeAll(async () => {
  server = await startTestServer()
  scene = await createScene(server)
  await scene.operator.call(routes.variables.putOfWorkspace, {
    params: { id: scene.ours.workspaceId, variable: 'REGION' },
    body: { value: 'north' },
  })
  document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as typeof document
})
afterAll(() => server.stop())

describe('the OpenAPI document', () => {
  test('is 3.1, with a title, a version, a licence and the address of the server', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: {
        title: 'Coherex',
        version: expect.any(String) as string,
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
    })
  })

  test('has each route of the contract, and no other', () => {
    const told = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(told.toSorted()).toEqual(allRoutes.map(({ method, path }) => `${method} ${path}`).toSorted())
  })

  test('names operations once, their path parameters all, and schemes that exist', () => {
    const schemes = Object.keys((document['components'] as { securitySchemes: object }).securitySchemes)
    const ids = new Set<string>()
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const operation of Object.values(methods)) {
        expect(operation.operationId).toMatch(/^[a-z]\w+$/)
        expect(ids.has(operation.operationId)).toBe(false)
        ids.add(operation.operationId)
        const inPath = operation.parameters.filter((one) => one.in === 'path')
        const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        expect(inPath.map((one) => one.name).toSorted()).toEqual(named.toSorted())
        expect(inPath.every((one) => one.required)).toBe(true)
        expect(Object.keys(operation.responses)).toContain('default')
        expect(Object.keys(operation.responses).some((status) => /^20[0-4]$/.test(status))).toBe(true)
        expect(operation.security.flatMap((one) => Object.keys(one)).every((one) => schemes.includes(one))).toBe(true)
      }
    }
  })

  test('refers to nothing that is not in it', () => {
    const text = JSON.stringify(document)
    const targets = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = '']) => target)
    expect(targets.length).toBeGreaterThan(0)
    for (const target of new Set(targets)) {
      expect(target.startsWith('#/')).toBe(true)
      const found = target
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)
      expect([target, typeof found]).toEqual([target, 'object'])
    }
  })
})

describe('each operation lists the answers it gives, with a named component for each refusal', () => {
  const operationOf = ({ method, path }: Route) => document.paths[path]?.[method]

  test('refusals are components, and in the words of OpenAI below /v1', () => {
    for (const route of allRoutes) {
      const refusals = Object.entries(operationOf(route)?.responses ?? {}).filter(([status]) => status >= '400')
      const names = refusals.flatMap(([, answer]) => ('$ref' in answer ? answer.$ref.split('/').at(-1) : []))
      expect([route.path, names]).toEqual([
        route.path,
        expect.arrayContaining([expect.stringMatching(/QuotaExceeded$/)]),
      ])
      expect(names.every((name) => name?.startsWith('Chat') === route.path.startsWith('/v1/'))).toBe(true)
    }
  })

  test('a route that need not be waited for, and one that has parts or nothing to answer, says so', () => {
    const statuses = (route: Route) => Object.keys(operationOf(route)?.responses ?? {})
    for (const route of [routes.runs.create, routes.threads.turn, routes.triggers.execute]) {
      expect(statuses(route)).toEqual(expect.arrayContaining(['200', '202']))
    }
    expect(statuses(routes.threads.stream)).toContain('204')
    expect(statuses(routes.sandboxes.readFile)).toEqual(expect.arrayContaining(['206', '416', '409']))
  })

  test.each(['nobody', 'viewer', 'operator'] as const)('%s gets no other status than those', async (who) => {
    const unlisted: string[] = []
    for (const [route, { request }] of routeSamples) {
      // these end what the next ones need
      if (routeSamples.get(route)?.endsSession) continue
      const from = { nobody: server.browser(), viewer: scene.people.viewer, operator: scene.operator }[who]
      const sample = request(scene)
      const { status } = await from.fetch(pathOf(route, sample), initOf(route, sample))
      if (!(status in (operationOf(route)?.responses ?? {}))) unlisted.push(`${status} ${route.method} ${route.path}`)
    }
    expect(unlisted).toEqual([])
  })
})

const readable = allRoutes.filter(
  (route) =>
    route.method === 'get' &&
    // the scene has no published tool: tool-exports.test.ts has
    route !== routes.tools.export &&
    route.response &&
    route.response !== 'text' &&
    (route.params ? routeSamples.get(route)?.ours : routeSamples.get(route)?.answers === 200),
)
test.each(readable.map((route) => [route.path, route] as const))(
  '%s answers what it says it does',
  async (_, route) => {
    const sample = routeSamples.get(route)
    const response = await scene.operator.fetch(pathOf(route, sample?.ours?.(scene) ?? sample?.request(scene) ?? {}))
    expect(response.status).toBe(200)
    const answer = (await response.json()) as Record<string, unknown>
    const schema = route.response as Exclude<Route['response'], 'text' | undefined>
    // parsing drops what the schema does not name: the answer holds nothing else
    expect(schema.parse(answer)).toEqual(answer)
    // no team of the scene offers a tool
    const maybeEmpty: Route[] = [routes.runs.list, routes.tools.shared]
    if ('nextCursor' in answer && !route.params && !maybeEmpty.includes(route))
      expect((answer['items'] as unknown[]).length).toBeGreaterThan(0)
  },
)

test('the page to read it asks for nothing from elsewhere and runs no script', async () => {
  const page = await (await fetch(`${server.url}/api/docs`)).text()
  for (const { path } of allRoutes) expect(page).toContain(path)
  expect(page).not.toMatch(/<script|<link|<img|@import|url\(/)

  const browser = await launchChromium()
  try {
    const tab = await browser.newPage()
    const asked: string[] = []
    const problems: string[] = []
    tab.on('request', (request) => asked.push(request.url()))
    tab.on('console', (message) => problems.push(message.text()))
    await tab.goto(`${server.url}/api/docs`)
    expect(await tab.locator('h1').textContent()).toContain('API')
    expect(await tab.locator('details').count()).toBe(allRoutes.length)
    expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([])
    expect(problems.filter((one) => /security policy|refused/i.test(one))).toEqual([])
  } finally {
    await browser.close()
  }
})
