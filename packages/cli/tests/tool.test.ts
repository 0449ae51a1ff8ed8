import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
// oxlint-disable-next-line house/packages -- a registry of the tests; nothing of it is in the program
import { startNpmRegistry, type NpmRegistry } from '../../server/tests/harness/outside/npm-registry.ts'
import { runCoherex } from './run-coherex.ts'
import { ownerKey, startRealServer } from './start-real-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'coherex-tool-'))
let server: Awaited<ReturnType<typeof startRealServer>>
let registry: NpmRegistry
beforeAll(async () => {
  registry = await startNpmRegistry()
  server = await startRealServer({ COHEREX_WARM: 'false', COHEREX_NPM_REGISTRY: registry.url })
})
afterAll(async () => {
  await server.stop()
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

const coherex = (...args: string[]) =>
  runCoherex(args, {
    env: { COHEREX_URL: server.url, COHEREX_TOKEN: ownerKey, XDG_CONFIG_HOME: folder },
    cwd: folder,
  })

test('a folder becomes a tool: init, publish, call, test, diff, list', async () => {
  expect((await coherex('tool', 'init', 'greet')).stdout).toContain('Publish it: coherex tool publish greet')
  expect(await coherex('tool', 'publish', 'greet')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^✓ tests: 1 passed\n✓ licence: MIT\n✓ owner: .+\n✓ review: The team asks for none\ngreet is published at version 1\n$/,
    ) as string,
  })
  expect(await coherex('tool', 'call', 'greet', '{"name": "Ann"}')).toMatchObject({ code: 0, stdout: '"Hello Ann"\n' })
  const refused = await coherex('tool', 'call', 'greet', '{"name": 5}')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('name must be string') })
  expect((await coherex('tool', 'call', 'greet', '{')).stderr).toContain('The input is not JSON')

  const main = join(folder, 'greet/main.py')
  writeFileSync(main, readFileSync(main, 'utf8').replace('Hello', 'Bye'))
  const broken = await coherex('tool', 'publish', 'greet')
  expect(broken.code).toBe(1)
  expect(broken.stdout).toContain('✗ tests: 1 of 1 failed: somebody: gave "Bye Ann" and not "Hello Ann"')
  expect(await coherex('tool', 'test', 'greet', '1')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('✓ somebody'),
  })
  expect((await coherex('tool', 'call', 'greet@2')).stdout).toBe('"Bye world"\n')
  // the folder, which is not published
  expect(await coherex('tool', 'test', 'greet')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^greet@2\n✗ somebody/) as string,
  })
  const fresh = await coherex('tool', 'call', 'greet', '{"name": "Ann"}', '--fresh', '--json')
  expect(JSON.parse(fresh.stdout)).toMatchObject({ output: 'Hello Ann', run: { runtime: { name: 'process' } } })
  expect(JSON.parse(fresh.stdout).run.runtime.kept).toBeUndefined()
  expect((await coherex('tool', 'diff', 'greet', '1', '2')).stdout).toContain('+    return f"Bye {name}"')
  expect((await coherex('tool')).stdout).toMatch(/greet +published +1 +python +team +\d+ +Greets somebody by name/)
})

test('tool test stores a folder that is new as a draft, and tool list finds tools by their owner', async () => {
  await coherex('tool', 'init', 'nod')
  expect(await coherex('tool', 'test', './nod')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^nod@1\n✓ somebody/) as string,
  })
  expect((await coherex('tool', 'list', '--owner', 'me')).stdout).toMatch(/nod +draft +–/)
  expect((await coherex('tool', 'list', '--owner', 'nobody@example.com')).stderr).toContain('Nobody in the team is')
})

test('a folder of TypeScript is one too, and a folder without tool.yaml is none', async () => {
  await coherex('tool', 'init', 'hail', '--language', 'typescript')
  expect((await coherex('tool', 'publish', 'hail')).stdout).toContain('hail is published at version 1')
  expect((await coherex('tool', 'call', 'hail')).stdout).toBe('"Hello world"\n')
  expect((await coherex('tool', 'init', 'hail')).code).not.toBe(0)
  rmSync(join(folder, 'hail/tool.yaml'))
  expect((await coherex('tool', 'publish', 'hail')).stderr).toContain('tool.yaml is missing')
})

test('publish --reach says who sees a tool, and call tells that it is deprecated', async () => {
  await coherex('tool', 'init', 'common')
  expect((await coherex('tool', 'publish', 'common', '--reach', 'server')).code).toBe(0)
  expect((await coherex('tool', 'list', '--reach', 'server')).stdout).toMatch(/common +published +1 +python +server/)
  await coherex('tool', 'init', 'mine')
  expect((await coherex('tool', 'publish', 'mine', '--reach', 'private')).code).toBe(0)
  expect((await coherex('tool', 'list', '--reach', 'private')).stdout).toMatch(/mine +published +1 +python +private/)
  expect((await coherex('tool', 'publish', 'mine', '--reach', 'everyone')).stderr).toContain('private, team, server')

  const { status } = await fetch(`${server.url}/api/v1/tools/common`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${ownerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'deprecated', reason: 'use greet' }),
  })
  expect(status).toBe(200)
  // beside the output, which programs read
  expect(await coherex('tool', 'call', 'common', '{"name": "Ann"}')).toMatchObject({
    ...{
      code: 0,
      stdout: '"Hello Ann"\n',
      stderr: expect.stringContaining('common is deprecated: use greet') as string,
    },
  })
})

test('a tool is exported, its calls are shown, and its versions are reviewed', async () => {
  await coherex('tool', 'init', 'wave')
  await coherex('tool', 'publish', 'wave')
  await coherex('tool', 'call', 'wave')
  expect((await coherex('tool', 'export', 'wave@1', 'ai-sdk')).stdout).toContain('wave.ai-sdk.mjs')
  expect(readFileSync(join(folder, 'wave.ai-sdk.mjs'), 'utf8')).toContain('version: 1')
  // what is there already is not written over
  expect((await coherex('tool', 'export', 'wave', 'ai-sdk')).stderr).toContain('Cannot write')
  expect((await coherex('tool', 'export', 'wave', 'curl', '-o', '-')).stdout).toMatch(/^curl /)
  expect((await coherex('tool', 'export', 'wave', 'cobol')).code).not.toBe(0)

  expect((await coherex('tool', 'usage', 'wave')).stdout).toMatch(/VERSION +CALLS[\s\S]+1 +1 +0 +0 +0[\s\S]+CALLER/)
  expect((await coherex('tool', 'review', 'wave@1')).stdout).toBe('Nobody said anything yet\n')
  const said = await coherex(
    'tool',
    'review',
    'wave@1',
    '--reject',
    '--note',
    'Too loud',
    '--file',
    'main.py',
    '--line',
    '3',
  )
  expect(said.stdout).toContain('rejects main.py:3: Too loud')
  expect((await coherex('tool', 'review', 'wave@1')).stdout).toContain('Too loud')
  expect((await coherex('tool', 'review', 'wave')).stderr).toContain('Say which version, such as wave@1')
  expect((await coherex('tool', 'review', 'wave@1', '--ask', 'service')).stderr).toContain('names no review service')
  expect((await coherex('tool', 'list', '--tag', 'none')).stdout).not.toContain('wave')
})

test('tool show prints the lock of a version', async () => {
  await registry.publish({ name: 'es-toolkit', version: '1.39.0' })
  await coherex('tool', 'init', 'sort', '--language', 'typescript')
  const main = join(folder, 'sort/main.ts')
  writeFileSync(main, `import 'es-toolkit'\n${readFileSync(main, 'utf8')}`)
  await coherex('tool', 'publish', 'sort')
  expect((await coherex('tool', 'show', 'sort@1')).stdout).toMatch(
    /^sort@1 · typescript · .+\nPACKAGE +VERSION +INTEGRITY\nes-toolkit +1\.39\.0 +sha512-\S+\nLock [0-9a-f]{64}\n$/,
  )
  await coherex('tool', 'init', 'plain')
  await coherex('tool', 'publish', 'plain')
  expect((await coherex('tool', 'show', 'plain')).stdout).toContain('It needs no packages')
})

test('run --with adds a package of npm, and a run that misses one prints that option', async () => {
  await registry.publish({ name: 'greeter', version: '1.0.0' })
  writeFileSync(join(folder, 'greet.cjs'), `const name = ['greet', 'er'].join('')\nconsole.log(require(name))`)
  const missing = await coherex('run', 'greet.cjs')
  expect(missing.code).toBe(1)
  expect(missing.stderr).toContain('--with greeter')
  expect(await coherex('run', '--with', 'greeter@1', 'greet.cjs')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('greeter@1.0.0') as string,
  })
})
