import { callWithProgress, createOpener, routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findAnyUv } from '../harness/outside/find-uv.ts'
import { startNpmRegistry, type NpmRegistry } from '../harness/outside/npm-registry.ts'
import { createWheelIndex, type WheelIndex } from '../harness/outside/wheel-index.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let registry: NpmRegistry
let index: WheelIndex
let server: TestServer
let owner: TestPerson
let editor: TestPerson

beforeAll(async () => {
  registry = await startNpmRegistry()
  index = await createWheelIndex()
  server = await startTestServer({ COHEREX_NPM_REGISTRY: registry.url, COHEREX_PYPI_INDEX: index.url })
  owner = await server.owner()
  editor = await server.invite(owner, 'editor')
  await registry.publish(
    { name: 'base', version: '1.2.0', files: { 'index.js': 'exports.answer = 42' } },
    { name: 'greeter', version: '1.0.0', manifest: { dependencies: { base: '^1.0.0' } } },
    { name: 'evil', version: '1.0.0' },
  )
  index.offer({ name: 'tinypkg', version: '1.0', files: { 'tinypkg/__init__.py': 'def answer(): return 42\n' } })
})
afterAll(async () => {
  await server.stop()
  await registry.close()
  await index.close()
})

async function cell(sandboxId: string, language: 'bash' | 'javascript' | 'python', code: string) {
  const run = await editor.call(routes.runs.create, { body: { sandboxId, language, code } })
  const text = run.output.map((line) => ('text' in line ? line.text : '')).join('')
  return { text, error: run.error?.message }
}

async function workspaceWith(files: Record<string, string>): Promise<string> {
  const { id } = await editor.call(routes.workspaces.create, { body: { name: 'declared' } })
  for (const [path, text] of Object.entries(files)) {
    await editor.call(routes.workspaces.writeFile, { params: { id, path }, body: text })
  }
  return id
}

test('npm packages of a sandbox come from the registry, its cells add more, and a wake brings them back', async () => {
  const made = await editor.call(routes.sandboxes.create, { body: { language: 'javascript', packages: ['base@1'] } })
  expect(made.packages).toMatchObject([
    { language: 'javascript', requirements: ['base@1'], packages: [{ name: 'base', version: '1.2.0' }] },
  ])
  const { id } = made
  expect(await cell(id, 'javascript', `import base from 'base'\nconsole.log(base.answer)`)).toEqual({ text: '42' })
  const added = await cell(id, 'bash', `npm install greeter && node -p 'require("greeter")'`)
  expect(added.text).toMatch(/Added greeter 1\.0\.0\ngreeter@1\.0\.0\n$/)
  expect(await cell(id, 'javascript', `console.log(require('greeter'))`)).toEqual({ text: 'greeter@1.0.0' })
  const run = await editor.call(routes.runs.create, { body: { sandboxId: id, language: 'javascript', code: '1' } })
  expect(run.runtime?.lock?.packages.map(({ name }) => name).sort()).toEqual(['base', 'greeter'])
  expect((await editor.call(routes.packages.list, {})).items[0]).toMatchObject({ usedBy: [{ kind: 'sandbox', id }] })

  // asleep, it is changed without being woken
  await editor.call(routes.sandboxes.change, { params: { id }, body: { idleTimeoutMs: 1000 } })
  await vi.waitUntil(async () => (await editor.call(routes.sandboxes.get, { params: { id } })).status === 'sleeping', {
    timeout: 30_000,
    interval: 200,
  })
  const { lock, changed } = await editor.call(routes.sandboxes.packages, {
    params: { id },
    body: { language: 'javascript', remove: ['base'] },
  })
  expect([lock?.requirements, changed]).toEqual([['greeter'], []])
  const { status } = await editor.call(routes.sandboxes.get, { params: { id } })
  expect(status).toBe('sleeping')
  expect(await cell(id, 'javascript', `console.log(require('greeter'))`)).toEqual({ text: 'greeter@1.0.0' })
})

test('a package of a sandbox keeps its version when more are added, until an upgrade is asked for', async () => {
  await registry.publish({ name: 'moving', version: '1.0.0' })
  const { id } = await editor.call(routes.sandboxes.create, { body: { packages: ['npm:moving'] } })
  await registry.publish({ name: 'moving', version: '1.1.0' })
  const change = (body: object) =>
    editor.call(routes.sandboxes.packages, { params: { id }, body: { language: 'javascript', ...body } })
  const versions = ({ lock }: Awaited<ReturnType<typeof change>>) =>
    lock?.packages.map(({ name, version }) => `${name} ${version}`).sort()
  expect(versions(await change({ requirements: ['base'] }))).toEqual(['base 1.2.0', 'moving 1.0.0'])
  expect(versions(await change({ requirements: ['greeter'], upgrade: true }))).toEqual([
    'base 1.2.0',
    'greeter 1.0.0',
    'moving 1.1.0',
  ])
})

test('a sandbox of a workspace has the packages that package.json and its lock name', async () => {
  await registry.publish({ name: 'locked', version: '1.0.0' }, { name: 'locked', version: '1.1.0' })
  const workspace = await workspaceWith({
    'package.json': JSON.stringify({ dependencies: { locked: '^1.0.0' } }),
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: { '': { dependencies: { locked: '^1.0.0' } }, 'node_modules/locked': { version: '1.0.0' } },
    }),
  })
  const made = await editor.call(routes.sandboxes.create, {
    body: { workspaceId: workspace, language: 'javascript', packages: ['base@1'] },
  })
  expect(made.packages).toMatchObject([{ language: 'javascript', requirements: ['locked@^1.0.0', 'base@1'] }])
  expect(await cell(made.id, 'javascript', `console.log(require('locked'), require('base').answer)`)).toEqual({
    text: 'locked@1.0.0 42',
  })
})

test('a sandbox of a workspace is made without declared packages that cannot be had, and its notice names them', async () => {
  const workspace = await workspaceWith({
    'package.json': JSON.stringify({ dependencies: { base: '^1.0.0', absent: '^1.0.0' } }),
  })
  const made = await editor.call(routes.sandboxes.create, { body: { workspaceId: workspace } })
  expect(made).toMatchObject({
    packages: [],
    notice: expect.stringMatching(/^Packages of its workspace were not added: .*absent/),
  })
})

test('a sandbox of a workspace has the packages of requirements.txt', async (context) => {
  if (!findAnyUv()) return context.skip('needs uv')
  const workspace = await workspaceWith({ 'requirements.txt': 'tinypkg>=1\n' })
  const made = await editor.call(routes.sandboxes.create, { body: { workspaceId: workspace } })
  expect(made.packages).toMatchObject([{ language: 'python', requirements: ['tinypkg>=1'] }])
  expect(await cell(made.id, 'python', 'import tinypkg\nprint(tinypkg.answer())')).toEqual({ text: '42\n' })
})

test('creating a sandbox and resolving say which package is being fetched', async () => {
  await registry.publish({ name: 'slow', version: '1.0.0' }, { name: 'slower', version: '1.0.0' })
  const open = createOpener<Response>({ baseUrl: server.url, fetch: editor.fetch as never })
  const heard = async (name: string, ask: (onProgress: (line: string) => void) => Promise<unknown>) => {
    const lines: string[] = []
    const told = Promise.withResolvers<void>()
    registry.onRequest = (request, response) => {
      if (request.url !== `/${name}/-/${name}-1.0.0.tgz`) return false
      // it comes when somebody was told that it is awaited
      void told.promise.then(() => {
        registry.onRequest = () => false
        response.writeHead(302, { location: request.url ?? '' }).end()
      })
      return true
    }
    const answer = await ask((line) => {
      lines.push(line)
      if (line.startsWith('Fetching 0 of 1')) told.resolve()
    })
    return { lines, answer }
  }
  const made = await heard('slow', (onProgress) =>
    callWithProgress(
      open,
      routes.sandboxes.create,
      { body: { language: 'javascript', packages: ['slow'] } },
      { onProgress },
    ),
  )
  expect(made.lines.some((line) => /^Fetching 0 of 1 packages, .*: slow/.test(line))).toBe(true)
  expect(made.answer).toMatchObject({ packages: [{ requirements: ['slow'] }] })
  const resolved = await heard('slower', (onProgress) =>
    callWithProgress(
      open,
      routes.packages.resolve,
      { body: { language: 'javascript', requirements: ['slower'], fetch: 'wait' } },
      { onProgress },
    ),
  )
  expect(resolved.lines.some((line) => /^Fetching 0 of 1 packages, .*: slower/.test(line))).toBe(true)
  expect(resolved.answer).toMatchObject({ lock: { requirements: ['slower'] } })
  await expect(
    callWithProgress(
      open,
      routes.sandboxes.create,
      { body: { language: 'javascript', packages: ['absent'] } },
      { onProgress() {} },
    ),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('the rules of the team bind who asks by HTTP and who asks from inside', async () => {
  const { id } = await editor.call(routes.sandboxes.create, { body: {} })
  const { mode: _, ...rules } = await owner.call(routes.packages.policy, {})
  await owner.call(routes.packages.setPolicy, { body: { ...rules, mode: 'listed', allow: ['base'] } })
  await expect(
    editor.call(routes.sandboxes.packages, {
      params: { id },
      body: { language: 'javascript', requirements: ['evil'] },
    }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  expect((await cell(id, 'bash', 'npm install evil')).text).toContain('npm error ')
  expect((await cell(id, 'bash', 'npm install base')).text).toContain('Added base 1.2.0')
  await owner.call(routes.packages.setPolicy, { body: { ...rules, mode: 'any' } })
  const { items } = await owner.call(routes.audit.list, { query: { action: 'sandbox.change' } })
  expect(items[0]).toMatchObject({ actor: { id: editor.me.person.id }, details: { change: { packages: ['base'] } } })

  const viewer = await server.invite(owner, 'viewer')
  await expect(
    viewer.call(routes.sandboxes.packages, {
      params: { id },
      body: { language: 'javascript', requirements: ['base'] },
    }),
  ).rejects.toMatchObject({ code: 'forbidden' })
})

test('%pip install asks the index of the server, and the next line imports what it brought', async (context) => {
  if (!findAnyUv()) return context.skip('needs uv')
  const { id } = await editor.call(routes.sandboxes.create, { body: {} })
  const told = await cell(id, 'python', '%pip install -q tinypkg\nimport tinypkg\nprint(tinypkg.answer())')
  expect(told).toEqual({ text: '42\n' })
  const fork = await editor.call(routes.sandboxes.fork, { params: { id }, body: {} })
  expect(await cell(fork.id, 'bash', 'python3 -c "import tinypkg; print(tinypkg.answer())"')).toEqual({ text: '42\n' })
})
