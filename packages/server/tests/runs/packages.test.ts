import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { routes, type Run, type RunRequest } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findUv } from '../../src/runtimes/index.ts'
import { startNpmRegistry, type NpmRegistry } from '../harness/outside/npm-registry.ts'
import { createWheelIndex, type WheelIndex } from '../harness/outside/wheel-index.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let registry: NpmRegistry
let index: WheelIndex
let server: TestServer
let owner: TestPerson
let editor: TestPerson
const uv = findUv()

beforeAll(async () => {
  registry = await startNpmRegistry()
  index = await createWheelIndex()
  server = await startTestServer({ COHEREX_NPM_REGISTRY: registry.url, COHEREX_PYPI_INDEX: index.url })
  owner = await server.owner()
  editor = await server.invite(owner, 'editor')
  const esm = (text: string) => ({ files: { 'index.js': text }, manifest: { type: 'module', exports: './index.js' } })
  await registry.publish(
    { name: 'greeter', version: '1.0.0', ...esm(`export const greet = (name) => 'Hello ' + name`) },
    { name: 'greeter', version: '2.0.0', ...esm(`export const greet = (name) => 'Good day ' + name`) },
    { name: 'fresh', version: '1.0.0', releasedAt: new Date().toISOString() },
    { name: 'stranger', version: '1.0.0' },
  )
  index.offer({ name: 'greeter', version: '1.0', files: { 'greeter.py': 'def greet(name): return "Hallo " + name\n' } })
})
afterAll(async () => {
  await server.stop()
  await registry.close()
  await index.close()
})

const run = (body: RunRequest, who = editor) => who.call(routes.runs.create, { body })
const infoOf = ({ output }: Run) => output.filter(({ stream }) => stream === 'info')

test('a JavaScript program imports a package by name or pinned, and its receipt has the lock', async () => {
  const code = `import { greet } from 'greeter'\nexport default () => greet('Ada')`
  for (const language of ['javascript', 'typescript'] as const) {
    const done = await run({ language, code })
    expect(done.error).toBeUndefined()
    expect(done.result).toBe('Good day Ada')
    expect(done.runtime?.lock).toMatchObject({
      language: 'javascript',
      requirements: ['greeter'],
      packages: [{ name: 'greeter', version: '2.0.0', integrity: expect.stringMatching(/^sha512-/) }],
    })
  }
  const pinned = await run({ language: 'javascript', code: code.replace('greeter', 'npm:greeter@1') })
  expect(pinned.result).toBe('Hello Ada')
  const asked = await run({
    language: 'node',
    code: `console.log(require('greeter').greet('Bob'))`,
    packages: ['greeter@^1'],
  })
  expect([asked.error, asked.output.at(-1)]).toMatchObject([undefined, { text: 'Hello Bob' }])
  expect(await owner.call(routes.runs.get, { params: { id: asked.id } })).toMatchObject({
    runtime: { lock: { packages: [{ version: '1.0.0' }] } },
  })
  const { items } = await owner.call(routes.runs.list, {})
  expect(items.every(({ runtime }) => runtime?.lock === undefined)).toBe(true)
})

test('code that makes up the name of a package finds the one that was asked for, in an isolate and in a process', async () => {
  const code = `const { greet } = await import(['greet', 'er'].join(''))\nconsole.log(greet('Eve'))`
  const missing = await run({ language: 'javascript', code })
  expect(missing.error?.fixes).toEqual([{ kind: 'add-package', value: 'greeter', label: 'Add greeter and run again' }])
  const fix = { kind: 'add-package', value: 'greeter' } as const
  const fixed = await editor.call(routes.runs.fix, { params: { id: missing.id }, body: fix })
  expect([fixed.error, fixed.output.at(-1), fixed.runtime?.name]).toMatchObject([
    undefined,
    { text: 'Good day Eve' },
    'isolate',
  ])
  const inProcess = await run({ language: 'javascript', code, packages: ['greeter@1'], runtime: 'process' })
  expect([inProcess.error, inProcess.output.at(-1)]).toMatchObject([undefined, { text: 'Hello Eve' }])
})

test('a lock is resolved, shown, listed and removed over HTTP', async () => {
  const { lock, file } = await editor.call(routes.packages.resolve, {
    body: { language: 'javascript', requirements: ['greeter@1'], fetch: 'wait' },
  })
  expect(file.path).toBe('package-lock.json')
  expect(JSON.parse(file.text)).toMatchObject({ packages: { 'node_modules/greeter': { version: '1.0.0' } } })
  const { items } = await editor.call(routes.packages.list, { query: { search: 'greet' } })
  expect(items.find(({ hash }) => hash === lock.hash)).toMatchObject({
    diskBytes: expect.any(Number),
    askedBy: editor.me.person.name,
    usedBy: [],
  })
  const info = await editor.call(routes.packages.info, { query: { language: 'javascript', name: 'greeter' } })
  expect(info.versions.map(({ version }) => version)).toEqual(['2.0.0', '1.0.0'])
  await expect(
    editor.call(routes.packages.info, { query: { language: 'javascript', name: 'no-such-package' } }),
  ).rejects.toMatchObject({ code: 'not_found' })
  await owner.call(routes.packages.remove, { params: { hash: lock.hash } })
  const left = await editor.call(routes.packages.list, {})
  expect(left.items.some(({ hash }) => hash === lock.hash)).toBe(false)
  const { items: told } = await owner.call(routes.audit.list, { query: { action: 'package' } })
  expect(told.map(({ action, target }) => [action, target?.name])).toEqual(
    expect.arrayContaining([
      ['package.add', 'greeter 1.0.0'],
      ['package.add', 'greeter 2.0.0'],
      ['package.remove', 'greeter@1'],
    ]),
  )
})

test('a release that is younger than the rules allow does not exist, and an import of it says so', async () => {
  await expect(
    editor.call(routes.packages.resolve, { body: { language: 'javascript', requirements: ['fresh'] } }),
  ).rejects.toMatchObject({ message: expect.stringContaining('fresh') })
  const failed = await run({ language: 'node', code: `import fresh from 'fresh'\nconsole.log(fresh)` })
  expect(failed.status).toBe('failed')
  expect(infoOf(failed).at(-1)).toMatchObject({
    text: expect.stringMatching(/^\[Packages were not added: .*fresh/),
  })
})

test('the workspace’s package.json and lock file say which versions, and its packages are kept for it', async () => {
  const { id } = await owner.call(routes.workspaces.create, { body: { name: 'Greetings' } })
  const write = (path: string, body: string) => owner.call(routes.workspaces.writeFile, { params: { id, path }, body })
  await write('package.json', JSON.stringify({ dependencies: { greeter: '^1' } }))
  await write('main.ts', `import { greet } from 'greeter'\nexport default () => greet('Cy')`)
  const done = await run({ language: 'typescript', code: '', entry: 'main.ts', workspaceId: id }, owner)
  expect([done.error, done.result]).toEqual([undefined, 'Hello Cy'])
  await expect
    .poll(async () => {
      const { items } = await owner.call(routes.packages.list, {})
      return items.find(({ hash }) => hash === done.runtime?.lock?.hash)?.usedBy
    })
    .toEqual([{ kind: 'workspace', id, name: 'Greetings' }])
  await expect(
    owner.call(routes.packages.remove, { params: { hash: done.runtime!.lock!.hash } }),
  ).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('Greetings') })
})

test('rules of a team hold for runs: what is asked for is refused, an import is missing and says why', async () => {
  const rules = { mode: 'listed' as const, allow: ['greeter@1'], minimumAgeDays: 2, allowBuilds: false, maxMb: 100 }
  await expect(editor.call(routes.packages.setPolicy, { body: rules })).rejects.toMatchObject({ code: 'forbidden' })
  await owner.call(routes.packages.setPolicy, { body: rules })
  const code = `import { greet } from 'greeter'\nexport default () => greet('Ada')`
  // the list allows the older one only
  expect((await run({ language: 'javascript', code })).result).toBe('Hello Ada')
  await expect(run({ language: 'javascript', code: '1', packages: ['stranger'] })).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('not on the list'),
  })
  const missing = await run({ language: 'javascript', code: `import 'stranger'` })
  expect(missing.error?.summary).toMatch(/^The package stranger is not here\. Cannot add stranger: not on the list/)
  expect(missing.error?.fixes).toBeUndefined()
  await owner.call(routes.packages.setPolicy, { body: { ...rules, mode: 'none' } })
  await expect(run({ language: 'javascript', code: '1', packages: ['greeter@1'] })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await owner.call(routes.packages.setPolicy, { body: { ...rules, mode: 'any' } })
})

test('a run is cancelled while its packages are fetched', async () => {
  const held = Promise.withResolvers<void>()
  await registry.publish({ name: 'slow', version: '1.0.0' })
  registry.onRequest = (request, response) => {
    if (!request.url?.endsWith('.tgz')) return false
    void held.promise.then(() => response.destroy())
    return true
  }
  try {
    const { id } = await editor.call(routes.runs.create, {
      body: { language: 'node', code: `import 'slow'` },
      query: { wait: 'false' },
    })
    await expect
      .poll(async () => infoOf(await editor.call(routes.runs.get, { params: { id } })).length, { timeout: 60_000 })
      .toBeGreaterThan(0)
    const cancelled = await editor.call(routes.runs.cancel, { params: { id } })
    expect(cancelled).toMatchObject({ status: 'cancelled', error: { kind: 'cancelled' } })
  } finally {
    registry.onRequest = () => false
    held.resolve()
  }
})

test('a Python program has the packages of its request, its script and its fix', async (context) => {
  if (!uv || !existsSync(uv)) context.skip('needs uv, which comes where a Python package index can be reached')
  const code = 'import greeter\ngreeter.greet("Ada")'
  const asked = await run({ language: 'python', code, packages: ['greeter>=1'] })
  expect([asked.error, asked.result]).toEqual([undefined, 'Hallo Ada'])
  const inline = await run({ language: 'python', code: `# /// script\n# dependencies = ["greeter"]\n# ///\n${code}` })
  expect([inline.error, inline.result]).toEqual([undefined, 'Hallo Ada'])
  const missing = await run({ language: 'python', code })
  expect(missing.error?.fixes).toEqual([{ kind: 'add-package', value: 'greeter', label: 'Add greeter and run again' }])
  const again = await editor.call(routes.runs.fix, {
    params: { id: missing.id },
    body: { kind: 'add-package', value: 'greeter' },
  })
  expect([again.error, again.result]).toEqual([undefined, 'Hallo Ada'])
})

test('a script whose inline metadata cannot be read runs, and its output says why it has no packages', async () => {
  const { output, result } = await run({
    language: 'python',
    code: '# /// script\n# dependencies = [greeter]\n# ///\n6 * 7',
  })
  expect([output, result]).toMatchObject([
    [{ stream: 'info', text: expect.stringMatching(/^\[Packages were not added: Cannot read the packages of the/) }],
    42,
  ])
})

test('a Python tool has the packages of the inline metadata of its entry, and its version locks them', async (context) => {
  if (!uv || !existsSync(uv)) context.skip('needs uv, which comes where a Python package index can be reached')
  const files = {
    'tool.yaml': 'kind: tool\nname: hail\ndescription: Greets\nlanguage: python\n',
    'main.py':
      '# /// script\n# dependencies = ["greeter>=1"]\n# ///\nimport greeter\n\ndef main(name: str) -> str:\n    return greeter.greet(name)\n',
  }
  const stored = await owner.call(routes.tools.save, { body: { files } })
  expect(stored.lock).toMatchObject({ requirements: ['greeter>=1'], packages: [{ name: 'greeter', version: '1.0' }] })
  const called = await owner.call(routes.tools.call, {
    params: { name: 'hail' },
    body: { input: { name: 'Ann' }, version: stored.version },
  })
  expect([called.run.error, called.output]).toEqual([undefined, 'Hallo Ann'])
})

test('a run that asks for Python packages where uv is missing is refused with what is missing', async () => {
  const without = await startTestServer({ COHEREX_UV: '/nowhere', COHEREX_PYPI_INDEX: index.url })
  try {
    const someone = await without.owner()
    await expect(run({ language: 'python', code: '1', packages: ['greeter'] }, someone)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Cannot add greeter: uv is missing, which resolves Python packages'),
    })
    expect(await run({ language: 'python', code: '1 + 1' }, someone)).toMatchObject({ result: 2 })
  } finally {
    await without.stop()
  }
})

test('the receipt of a run names the versions of the base stack that do for its packages', async (context) => {
  const code = 'import pandas\npandas.__version__'
  const { result: version } = await run({ language: 'python', code })
  if (version === undefined) return context.skip('needs pandas in the base stack')
  const { runtime } = await run({ language: 'python', code, packages: ['pandas>=1'] })
  expect([runtime?.base, runtime?.lock]).toEqual([[{ name: 'pandas', version }], undefined])
})

test('packages of a cell are added to its sandbox, and a cell that has them adds nothing', async () => {
  const { id: sandboxId } = await editor.call(routes.sandboxes.create, { body: { language: 'javascript' } })
  const cell = { language: 'javascript', sandboxId, code: `require('greeter').greet('Fay')`, packages: ['greeter@1'] }
  const first = await run(cell as RunRequest)
  expect([first.error, first.result]).toEqual([undefined, 'Hello Fay'])
  expect(first.runtime?.lock).toMatchObject({ requirements: ['greeter@1'], packages: [{ version: '1.0.0' }] })
  expect((await run(cell as RunRequest)).result).toBe('Hello Fay')
  const { packages } = await editor.call(routes.sandboxes.get, { params: { id: sandboxId } })
  expect(packages).toMatchObject([{ requirements: ['greeter@1'] }])
  const { items } = await owner.call(routes.audit.list, { query: { action: 'sandbox.change' } })
  expect(items.filter(({ target }) => target?.id === sandboxId)).toHaveLength(1)
  const lost = await run({ ...cell, packages: ['absent'] } as RunRequest)
  expect(lost.error).toMatchObject({ kind: 'validation', message: expect.stringContaining('absent') })
  await expect(run({ sandboxId, language: 'bash', code: 'true', packages: ['greeter'] })).rejects.toMatchObject({
    code: 'invalid_input',
  })
})

test('an import of npm:name@version that a cell misses offers that version', async () => {
  const { id: sandboxId } = await editor.call(routes.sandboxes.create, { body: { language: 'javascript' } })
  const code = `import { greet } from 'npm:greeter@1'\ngreet('Gus')`
  const missing = await run({ language: 'javascript', code, sandboxId })
  const label = 'Add greeter@1 to this sandbox and run again'
  expect(missing.error?.fixes).toEqual([{ kind: 'add-package', value: 'greeter@1', label }])
  const again = await editor.call(routes.runs.fix, {
    params: { id: missing.id },
    body: { kind: 'add-package', value: 'greeter@1' },
  })
  expect([again.error, again.result]).toEqual([undefined, 'Hello Gus'])
})

test('a cell that misses a package offers it for its sandbox, and has it when it runs again', async () => {
  const { id: sandboxId } = await editor.call(routes.sandboxes.create, { body: { language: 'javascript' } })
  const code = `const { greet } = await import('greeter')\ngreet('Dee')`
  const missing = await run({ language: 'javascript', code, sandboxId })
  const label = 'Add greeter to this sandbox and run again'
  expect(missing.error?.fixes).toEqual([{ kind: 'add-package', value: 'greeter', label }])
  const again = await editor.call(routes.runs.fix, {
    params: { id: missing.id },
    body: { kind: 'add-package', value: 'greeter' },
  })
  expect([again.error, again.result]).toEqual([undefined, 'Good day Dee'])
})

test('a version of a tool keeps the packages it was stored with, whatever is released later', async () => {
  const files = (name: string) => ({
    'tool.yaml': `kind: tool\nname: ${name}\ndescription: Greets\nlanguage: javascript\ninput: { type: string }\noutput: { type: string }\npackages: [greeter]\n`,
    'main.js': `import { greet } from 'greeter'\nexport default (env, name) => greet(name)\n`,
  })
  const stored = await owner.call(routes.tools.save, { body: { files: files('polite') } })
  const integrity = expect.stringMatching(/^sha512-/)
  expect(stored.lock?.packages).toMatchObject([{ name: 'greeter', version: '2.0.0', integrity }])
  await registry.publish({
    ...{ name: 'greeter', version: '3.0.0' },
    ...{ files: { 'index.js': `export const greet = () => 'Go away'` } },
    manifest: { type: 'module', exports: './index.js' },
  })
  const called = await owner.call(routes.tools.call, {
    params: { name: 'polite' },
    body: { input: 'Ann', version: stored.version },
  })
  expect([called.run.error, called.output]).toEqual([undefined, 'Good day Ann'])
  const { items } = await owner.call(routes.packages.list, {})
  const kept = items.find(({ hash }) => hash === called.run.runtime?.lock?.hash)
  expect(kept?.usedBy).toContainEqual({ kind: 'tool', id: 'polite@1', name: 'polite@1' })
})

test('a private tool keeps its packages, and its name is not told to others; one that is gone keeps nothing', async () => {
  const files = {
    'tool.yaml':
      'kind: tool\nname: diary\ndescription: Greets\nlanguage: javascript\ninput: true\noutput: true\npackages: [stranger]\n',
    'main.js': 'export default () => 1\n',
  }
  const { lock } = await owner.call(routes.tools.save, { body: { files, reach: 'private' } })
  const hash = lock?.hash ?? ''
  const usedBy = async (who: TestPerson) =>
    (await who.call(routes.packages.list, {})).items.find((one) => one.hash === hash)?.usedBy
  expect(await usedBy(owner)).toEqual([{ kind: 'tool', id: 'diary@1', name: 'diary@1' }])
  expect(await usedBy(editor)).toEqual([{ kind: 'private', id: '', name: 'tool or sandbox' }])
  const admin = await server.invite(owner, 'admin')
  await expect(admin.call(routes.packages.remove, { params: { hash } })).rejects.toThrow(
    'a private tool or sandbox uses them',
  )
  await owner.call(routes.tools.remove, { params: { name: 'diary' } })
  expect(await usedBy(editor)).toEqual([])
})

test('a bundle for a browser has what can be had, by the team’s rules, and says why the rest cannot', async () => {
  await registry.publish(
    { name: 'uses-react', version: '1.0.0', files: { 'index.js': `exports.x = require('react').version` } },
    { name: 'styled', version: '1.0.0', files: { 'index.js': `require('./a.css'); exports.y = 2`, 'a.css': 'p {}' } },
    { name: 'for-node', version: '1.0.0', files: { 'index.js': `module.exports = require('node:fs')` } },
  )
  const imports = ['npm:greeter@1', 'uses-react', 'styled', 'for-node', 'stranger-than-all']
  const { code, missing } = await editor.call(routes.packages.bundle, { body: { imports } })
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- packages of this test
  const made = (new Function(`return ${code}`)() as (require: (name: string) => object) => Record<string, never>)(
    (name) => ({ version: `${name} of the page` }),
  )
  expect(Object.keys(made).toSorted()).toEqual(['npm:greeter@1', 'styled', 'uses-react'])
  expect((made['npm:greeter@1'] as unknown as { greet(name: string): string }).greet('Ada')).toBe('Hello Ada')
  expect(made['uses-react']).toMatchObject({ x: 'react of the page' })
  expect(missing.map(({ module, why }) => `${module}: ${why}`)).toEqual([
    expect.stringMatching(/^for-node: .*they need "node:fs"/),
    expect.stringMatching(/^stranger-than-all: /),
  ])
  const beside = await editor.call(routes.packages.bundle, { body: { imports: ['styled', 'node:fs', '@/ui/button'] } })
  expect(beside.code).toContain('"styled"')
  expect(beside.missing.map(({ module }) => module)).toEqual(['@/ui/button', 'node:fs'])
  const policy = await owner.call(routes.packages.policy, {})
  await owner.call(routes.packages.setPolicy, { body: { ...policy, mode: 'none' } })
  const refused = await editor.call(routes.packages.bundle, { body: { imports: ['styled'] } })
  expect(refused).toEqual({ code: '', missing: [{ module: 'styled', why: expect.any(String) }] })
  await owner.call(routes.packages.setPolicy, { body: policy })
})

test('wheels for a browser are resolved by the team’s rules and checked', async (context) => {
  if (uv === undefined) return context.skip('needs uv, which comes where a Python package index can be reached')
  const pure = index.offer({ name: 'plain', version: '1.0', files: { 'plain.py': 'x = 1\n' } })
  index.offer({ name: 'forged', version: '1.0', files: { 'forged.py': 'x = 1\n' } }, { sha256: 'f'.repeat(64) })
  index.offer({ name: 'fast', version: '1.0', tag: 'cp314-cp314-manylinux_2_28_x86_64', files: { 'fast.py': '' } })
  index.offer({ name: 'slow', version: '1.0', requires: ['fast'], files: { 'slow.py': 'import fast\n' } })
  const modules = ['plain', 'forged', 'fast', 'slow']
  const { wheels, missing } = await editor.call(routes.packages.findWheels, { body: { modules } })
  const hash = createHash('sha256').update(pure.bytes).digest('hex')
  expect(wheels).toEqual([{ name: 'plain', version: '1.0', file: pure.filename, hash, size: pure.bytes.length }])
  expect(missing.map(({ module, why }) => `${module}: ${why}`)).toEqual([
    expect.stringMatching(/^forged: .*"forged"/),
    expect.stringContaining('"fast" has no wheel for the browser'),
    expect.stringContaining('"fast", which "slow" needs, has no wheel for the browser'),
  ])
  const wheel = await editor.fetch(`/api/v1/packages/wheels/${hash}`)
  expect(Buffer.from(await wheel.arrayBuffer()).equals(pure.bytes)).toBe(true)
  expect((await editor.fetch(`/api/v1/packages/wheels/${'f'.repeat(64)}`)).status).toBe(404)
  // once found, the index is not asked again
  const asked = index.asked.length
  await editor.call(routes.packages.findWheels, { body: { modules: ['plain'] } })
  expect(index.asked.length).toBe(asked)
})
