import { languages, routes, type RunRequest } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer({ COHEREX_WARM: 'true' })
  owner = await server.owner()
})
afterAll(() => server.stop())

const run = (body: RunRequest) => owner.call(routes.runs.create, { body })
// prints "Hello from WebAssembly"
const hello =
  'AGFzbQEAAAABDAJgBH9/f38Bf2AAAAIjARZ3YXNpX3NuYXBzaG90X3ByZXZpZXcxCGZkX3dyaXRlAAADAgEBBQMBAAEGBwF/AUGgEAsHEwIGbWVtb3J5AgAGX3N0YXJ0AAEKRQFDAQF/I4CAgIAAQRBrIgAkgICAgAAgAEEAKQOYiICAADcDCEEBIABBCGpBASAAQQRqEICAgIAAGiAAQRBqJICAgIAACwsnAQBBgAgLIEhlbGxvIGZyb20gV2ViQXNzZW1ibHkKAAAEAAAXAAAA'

test('the machine says which languages it runs, in which version, and how to get the rest', async () => {
  const { items } = await owner.call(routes.runs.languages, {})
  expect(items.map(({ language }) => language)).toEqual(languages)
  const find = (name: string) => items.find(({ language }) => language === name)
  expect(find('python')).toEqual({
    language: 'python',
    runtimes: ['process'],
    available: true,
    version: expect.stringMatching(/^Python 3/),
    stack: expect.stringMatching(/^(pypi|debian)$/),
    packages: expect.arrayContaining([{ name: 'pandas', version: expect.stringMatching(/^\d+\.\d/) }]),
  })
  expect(find('sql')).toMatchObject({ runtimes: ['process'], available: true })
  expect(find('wasm')).toMatchObject({ runtimes: ['wasm'], available: true })
  for (const { available, reason, install } of items) {
    if (!available) expect([reason, install]).toEqual([expect.stringContaining('is missing'), expect.any(String)])
  }
  const health = await owner.call(routes.system.health, {})
  expect(health.languages).toEqual(
    items.map(({ language, available, reason, install }) => ({
      language,
      available,
      ...(reason === undefined ? {} : { reason }),
      ...(install === undefined ? {} : { install }),
    })),
  )
  expect(health.runtimes.map(({ name }) => name)).toContain('wasm')
})

test('a query writes a file, and the next one gets it back as bytes', async () => {
  const first = await run({
    language: 'sql',
    code: "copy (select team, sum(amount) as total from 'sales.csv' group by team) to 'totals.parquet'",
    files: { 'sales.csv': 'team,amount\nnorth,1\nsouth,2\nnorth,3\n' },
  })
  expect(first).toMatchObject({ status: 'succeeded', files: [{ path: 'totals.parquet' }] })
  const parquet = await owner.fetch(`/api/v1/runs/${first.id}/files/totals.parquet`)
  const base64 = Buffer.from(await parquet.arrayBuffer()).toString('base64')
  const second = await run({
    language: 'sql',
    code: "select * from 'given.parquet' order by team",
    files: { 'given.parquet': { base64 } },
  })
  expect(second).toMatchObject({
    status: 'succeeded',
    result: [
      { team: 'north', total: 4 },
      { team: 'south', total: 2 },
    ],
    runtime: { name: 'process' },
    output: [{ stream: 'display', data: { 'text/html': expect.stringContaining('<table>') } }],
  })
  const program = await owner.call(routes.runs.program, { params: { id: second.id } })
  expect(program.files).toEqual({ 'given.parquet': { base64 } })
})

test('a module runs as text in base64 or as one of the files, with a receipt', async () => {
  const printed = [{ at: expect.any(Number), stream: 'stdout', text: 'Hello from WebAssembly\n' }]
  expect(await run({ language: 'wasm', code: hello })).toMatchObject({
    status: 'succeeded',
    output: printed,
    runtime: { name: 'wasm', passedOver: [{ name: 'isolate' }, { name: 'process', reason: 'it does not run wasm' }] },
  })
  const file = await run({
    language: 'wasm',
    code: '',
    entry: 'lib/hello.wasm',
    files: { 'lib/hello.wasm': { base64: hello } },
  })
  expect(file).toMatchObject({ status: 'succeeded', output: printed })
})

test('arguments reach programs, and JavaScript that has some leaves the isolate', async () => {
  const args = ['--size', '3 4']
  expect((await run({ language: 'python', code: 'import sys\nsys.argv[1:]', args })).result).toEqual(args)
  expect((await run({ language: 'bash', code: 'test "$2" = "3 4"', args })).status).toBe('succeeded')
  const script = await run({ language: 'javascript', code: 'process.argv.slice(2)', args })
  expect(script).toMatchObject({ result: args, runtime: { name: 'process', passedOver: [{ name: 'isolate' }] } })
})

test('a language the machine does not have is refused with how to get it', async () => {
  const { items } = await owner.call(routes.runs.languages, {})
  const missing = items.find(({ available }) => !available)
  if (!missing) return
  await expect(run({ language: missing.language, code: '' })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(missing.install ?? 'nothing'),
  })
})

test('a file that is no base64, or a language that is none, is refused by name', async () => {
  const bad = { language: 'sql', code: '', files: { 'a.bin': { base64: 'no base64!' } } } as RunRequest
  await expect(run(bad)).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(run({ language: 'cobol', code: '' } as unknown as RunRequest)).rejects.toMatchObject({
    code: 'invalid_input',
  })
})
