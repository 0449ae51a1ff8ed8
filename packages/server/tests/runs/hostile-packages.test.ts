import { existsSync } from 'node:fs'
import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startNpmRegistry, type NpmRegistry, type Release } from '../harness/outside/npm-registry.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'
import { watchAnswers } from '../hostile/watch-answers.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let registry: NpmRegistry
let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  registry = await startNpmRegistry()
  server = await startTestServer({ COHEREX_NPM_REGISTRY: registry.url })
  owner = await server.owner()
})
afterAll(async () => {
  await server.stop()
  await registry.close()
})

const mark = `/tmp/coherex-hostile-${process.pid}`
const version = '1.0.0'
const hostile: [Release, RegExp][] = [
  [{ name: 'climbing', version, extra: [{ name: `package/../../../../..${mark}`, content: 'x' }] }, /leads out of/],
  [{ name: 'absolute', version, extra: [{ name: mark, content: 'x' }] }, /is absolute/],
  [{ name: 'linking', version, extra: [{ name: 'package/l', type: 'symlink', linkname: '/etc/passwd' }] }, /is a link/],
  [{ name: 'bomb', version, files: { zeros: Buffer.alloc(100_000_000) } }, /times its size/],
  [
    { name: 'lying', version, dist: { integrity: `sha512-${Buffer.alloc(64).toString('base64')}` } },
    /integrity|not what/,
  ],
  [{ name: 'inward', version, dist: { tarball: 'http://169.254.169.254/a.tgz' } }, /not on the public internet/],
]

test('runs that ask for hostile packages end with the reason, while the server answers others', async () => {
  await registry.publish(...hostile.map(([release]) => release))
  const watch = watchAnswers(server.url)
  const ask = (name: string) =>
    owner.call(routes.runs.create, { body: { language: 'javascript', code: `import '${name}'`, packages: [name] } })
  const runs = await Promise.all(hostile.map(([{ name }]) => ask(name)))
  for (const [at, [{ name }, why]] of hostile.entries()) {
    expect([name, runs[at]?.status, runs[at]?.error?.message]).toEqual([name, 'failed', expect.stringMatching(why)])
  }
  const { asked, failures } = watch.look()
  await watch.stop()
  expect([asked > 5, failures]).toEqual([true, 0])
  expect(existsSync(mark)).toBe(false)
  const { items } = await owner.call(routes.packages.list, {})
  expect(items.filter(({ diskBytes }) => diskBytes !== null)).toEqual([])
})

test('install scripts of a package are not run, and a Node module comes before a package of its name', async () => {
  const scripts = Object.fromEntries(['preinstall', 'install', 'postinstall'].map((one) => [one, `touch ${mark}`]))
  await registry.publish({ name: 'scripted', version, manifest: { scripts } })
  const code = `import scripted from 'scripted'\nimport { sep } from 'path'\n;[scripted, sep]`
  const run = await owner.call(routes.runs.create, { body: { language: 'javascript', code } })
  expect([run.error, run.result]).toEqual([undefined, ['scripted@1.0.0', '/']])
  expect(existsSync(mark)).toBe(false)
  const named = owner.call(routes.runs.create, { body: { language: 'javascript', code: '1', packages: ['path'] } })
  await expect(named).rejects.toThrow('is a module of Node')
})
