import { routes, type PackageLanguage } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { reachRealRegistry } from '../harness/outside/real-registry.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const close = reachRealRegistry()
let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  // as npm and pip are configured on this machine
  const own = Object.entries(process.env).filter(([name]) => /^(npm_config|UV|PIP)_/.test(name))
  const settings = Object.fromEntries(own) as Record<string, string>
  server = await startTestServer({ ...settings, COHEREX_NPM_REGISTRY: '', COHEREX_PYPI_INDEX: '' })
  owner = await server.owner()
})
afterAll(async () => {
  await server.stop()
  close()
})

/** Why a registry cannot be used from here. */
function findMissing(language: PackageLanguage, name: string): Promise<string | undefined> {
  return owner.call(routes.packages.info, { query: { language, name } }).then(
    () => undefined,
    (error: Error) => error.message,
  )
}

test('polars and Pydantic 2 of a real index come by %pip and stay for a fork', async (context) => {
  const missing = await findMissing('python', 'six')
  if (missing !== undefined) return context.skip(missing)
  const { id } = await owner.call(routes.sandboxes.create, { body: {} })
  const run = (sandboxId: string, code: string) =>
    owner.call(routes.runs.create, { body: { sandboxId, language: 'python', code, limits: { timeoutMs: 240_000 } } })
  const sum = await run(id, '%pip install polars\nimport polars\npolars.DataFrame({"a": [1, 2, 3]})["a"].sum()')
  expect([sum.error, sum.result]).toEqual([undefined, 6])
  await owner.call(routes.sandboxes.packages, {
    params: { id },
    body: { language: 'python', requirements: ['pydantic>=2'] },
  })
  const fork = await owner.call(routes.sandboxes.fork, { params: { id }, body: {} })
  const both = await run(fork.id, 'import polars, pydantic\npydantic.VERSION.split(".")[0]')
  expect([both.error, both.result]).toEqual([undefined, '2'])
})

test('es-toolkit of a real registry comes by npm install', async (context) => {
  const missing = await findMissing('javascript', 'es-toolkit')
  if (missing !== undefined) return context.skip(missing)
  const { id } = await owner.call(routes.sandboxes.create, { body: {} })
  const code = `npm install es-toolkit@1 && node -p 'require("es-toolkit").chunk([1, 2, 3], 2).length'`
  const run = await owner.call(routes.runs.create, { body: { sandboxId: id, language: 'bash', code } })
  expect(run.output.map((line) => ('text' in line ? line.text : '')).join('')).toMatch(/Added es-toolkit 1\.[^]*\n2\n$/)
})
