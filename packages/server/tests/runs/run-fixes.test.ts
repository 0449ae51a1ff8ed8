import { routes, type Fix, type Run, type RunRequest } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

const run = (body: RunRequest) => owner.call(routes.runs.create, { body })
const fix = ({ id }: Run, { kind, value }: Pick<Fix, 'kind' | 'value'>, stdin?: string) =>
  owner.call(routes.runs.fix, {
    params: { id },
    body: { kind: kind as Exclude<Fix['kind'], 'install-language'>, value, ...(stdin !== undefined && { stdin }) },
  })
const allow = {
  kind: 'allow-host',
  value: 'https://api.example.com/',
  label: 'Allow api.example.com and run again',
}

test.each([
  ['urllib', 'python', "import urllib.request\nurllib.request.urlopen('https://api.example.com/x')"],
  ['a socket', 'python', "import socket\nsocket.create_connection(('api.example.com', 443))"],
  [
    'a lookup that another error hides',
    'python',
    "import urllib.request\ntry:\n  urllib.request.urlopen('https://api.example.com')\nexcept OSError as error:\n  raise RuntimeError('no data') from error",
  ],
  ['fetch of an isolate', 'javascript', "await fetch('https://api.example.com/x')"],
  ['fetch of Node', 'node', "await fetch('https://api.example.com/x')"],
  ['https of Node', 'node', "import https from 'node:https'\nhttps.get('https://api.example.com/x')"],
  ['curl', 'bash', 'curl -sS https://api.example.com/x'],
] as const)('a run without a network says so and offers the host that %s asked for', async (_, language, code) => {
  const { status, error } = await run({ language, code })
  expect({ status, summary: error?.summary, fixes: error?.fixes }).toEqual({
    status: 'failed',
    summary: 'This run has no network: it asked for api.example.com',
    fixes: [allow],
  })
})

test('a cell names its sandbox as what has no network', async () => {
  const { id: sandboxId } = await owner.call(routes.sandboxes.create, { body: {} })
  const code = "import urllib.request\nurllib.request.urlopen('https://api.example.com/x')"
  const cell = await run({ sandboxId, language: 'python', code })
  expect(cell.error).toMatchObject({
    summary: 'This sandbox has no network: it asked for api.example.com',
    fixes: [{ ...allow, label: 'Allow api.example.com in this sandbox and run again' }],
  })
  const asked = await run({ sandboxId, language: 'python', code: 'input()' })
  expect(asked.error?.fixes).toEqual([{ kind: 'give-stdin', value: '', label: 'Give standard input' }])
  expect(await fix(asked, { kind: 'give-stdin', value: '' }, 'ada\n')).toMatchObject({ result: 'ada', sandboxId })
  const slow = await run({ sandboxId, language: 'bash', code: 'sleep 60', limits: { timeoutMs: 300 } })
  expect(slow.error?.fixes?.[0]?.value).toBe('timeoutMs=1200')
})

test('a fix of a cell changes its sandbox, where the cell runs again', async () => {
  const { id: sandboxId } = await owner.call(routes.sandboxes.create, { body: { limits: { memoryMb: 128 } } })
  // only the cell that may not reach it asks for it
  const code = `import urllib.request
kept = [*globals().get('kept', []), 1]
if len(kept) == 1: urllib.request.urlopen('https://api.example.com/x')
len(kept)`
  const refused = await run({ sandboxId, language: 'python', code })
  expect(await fix(refused, allow as Fix)).toMatchObject({ status: 'succeeded', result: 2, sandboxId })
  const full = await run({
    sandboxId,
    language: 'bash',
    code: 'set -o pipefail; head -c 300M /dev/zero | tail > /dev/null',
  })
  expect(full.error?.fixes?.[0]?.label).toBe('Raise the sandbox’s memory to 512 MB and run again')
  expect(await fix(full, full.error!.fixes![0]!)).toMatchObject({ status: 'succeeded' })
  // each run took the place of the one that it fixes
  const { items } = await owner.call(routes.sandboxes.listCells, { params: { id: sandboxId } })
  expect(items).toHaveLength(2)
  expect(await owner.call(routes.sandboxes.get, { params: { id: sandboxId } })).toMatchObject({
    network: { allow: ['https://api.example.com/'] },
    limits: { memoryMb: 512 },
  })
})

test('a run with a network offers the host that its rules refused, and runs again with it', async () => {
  // only the run that may not reach it asks for it
  const code = `const { allow } = await env.FETCH.config()
if (allow.length === 1) await fetch('https://b.example.com/x')
allow`
  const refused = await run({ language: 'javascript', code, network: { allow: ['https://a.example.com/'] } })
  expect(refused.error).toMatchObject({
    summary: 'This run may not reach b.example.com',
    fixes: [{ kind: 'allow-host', value: 'https://b.example.com/' }],
  })
  const again = await fix(refused, { kind: 'allow-host', value: 'https://b.example.com/' })
  expect(again).toMatchObject({ retryOf: refused.id, result: ['https://a.example.com/', 'https://b.example.com/'] })
})

test('a fix that the error does not carry is refused', async () => {
  const failed = await run({ language: 'python', code: 'print(input())', env: { NAME: 'kept' } })
  for (const other of [allow, { kind: 'raise-limit', value: 'memoryMb=2048' }, { kind: 'give-stdin', value: 'x' }])
    await expect(fix(failed, other as Fix)).rejects.toMatchObject({ code: 'conflict' })
  await expect(fix(failed, { kind: 'give-stdin', value: '' })).rejects.toMatchObject({ code: 'invalid_input' })
})

test('a fix keeps the variables of the run', async () => {
  const code = 'import os\nf\'{input()} {os.environ["NAME"]}\''
  const failed = await run({ language: 'python', code, env: { NAME: 'kept' } })
  expect(failed.error?.summary).toBe('The code asked for input, and this run has no standard input')
  expect(await fix(failed, failed.error!.fixes![0]!, 'given')).toMatchObject({ result: 'given kept' })
})

test.each([
  [
    'Python’s memory',
    { language: 'python', code: 'a = bytearray(900_000_000)', limits: { memoryMb: 64 } },
    'memoryMb=512',
  ],
  [
    'an isolate’s memory',
    {
      language: 'javascript',
      code: 'const a = []\nfor (;;) a.push(new Uint8Array(8e6).fill(1))',
      limits: { memoryMb: 64 },
    },
    'memoryMb=512',
  ],
  ['time', { language: 'bash', code: 'sleep 60', limits: { timeoutMs: 300 } }, 'timeoutMs=1200'],
  [
    'an isolate’s time',
    { language: 'javascript', code: 'await new Promise((r) => setTimeout(r, 60_000))', limits: { timeoutMs: 300 } },
    'timeoutMs=1200',
  ],
] as const)('a run that is ended by the limit on %s offers the next higher one', async (_, body, value) => {
  const { error } = await run(body as unknown as RunRequest)
  expect(error?.fixes).toEqual([
    { kind: 'raise-limit', value, label: expect.stringMatching(/^Raise .* and run again$/) },
  ])
})

test('the fix use-process is offered for a program that an isolate cannot run, and runs it', async () => {
  const code = "const name = ['node', 'os'].join(':')\nexport default async () => typeof (await import(name)).cpus"
  const failed = await run({ language: 'javascript', code })
  expect(failed.error).toMatchObject({
    summary: 'The isolate this ran in has no module node:os; a process has',
    fixes: [{ kind: 'use-process', value: 'process', label: 'Run as a process' }],
  })
  expect(await fix(failed, failed.error!.fixes![0]!)).toMatchObject({
    result: 'function',
    runtime: { name: 'process' },
  })
})

test('a missing module names its package', async () => {
  const python = await run({ language: 'python', code: 'from cv2 import imread' })
  expect(python.error?.summary).toMatch(/^Python has no module cv2 here: it comes with the package opencv-python/)
  for (const language of ['javascript', 'node'] as const) {
    const { error } = await run({ language, code: "import pad from 'left-pad'\npad('a', 3)" })
    expect(error?.summary).toBe(
      'The package left-pad is not here. This server has no registry of npm: its operator sets COHEREX_NPM_REGISTRY',
    )
    expect(error?.fixes).toBeUndefined()
  }
  const name = "const name = ['lodash', 'es'].join('-')\nexport default async () => (await import(name)).sum([1, 2])"
  const listed = await run({ language: 'javascript', code: name })
  expect(listed.error?.fixes).toMatchObject([{ kind: 'add-package', value: 'lodash-es' }])
  expect(await fix(listed, listed.error!.fixes![0]!)).toMatchObject({ result: 3 })
})

test('a language that is not installed carries the command that installs it', async (context) => {
  const { items } = await owner.call(routes.runs.languages, {})
  const missing = items.find(({ available, install }) => !available && install)
  if (!missing) return context.skip('every language is installed')
  await expect(run({ language: missing.language, code: '1' })).rejects.toMatchObject({
    code: 'unavailable',
    details: { fixes: [{ kind: 'install-language', value: missing.install }] },
  })
})
