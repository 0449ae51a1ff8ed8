import { languages, routes, type Run, type RunRequest } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

const post = (path: string, text: string, method = 'POST') =>
  owner.fetch(path, { method, body: text, headers: { 'content-type': 'application/json' } })

/** The text of a request is written by hand: an object literal cannot have a key "__proto__". */
async function run(text: string): Promise<Run> {
  const response = await post('/api/v1/runs', text)
  const answer = (await response.json()) as Run
  expect([response.status, answer]).toEqual([200, answer])
  return answer
}

test('bytes that are no UTF-8 are refused, and not run as other characters', async () => {
  const body = Buffer.from(JSON.stringify({ language: 'javascript', code: '"Grüße"' }), 'latin1')
  const response = await owner.fetch('/api/v1/runs', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  expect(await refusal(response)).toEqual([400, 'invalid_input', undefined])
})

test('what was asked for is kept as it came, but for what no text of the store can hold', async () => {
  const { id } = await run(
    '{"language":"python","code":"1","input":["a\\u0000b","\\ud800",{"\\u0000":"\\\\u0000"}],"stdin":"é"}',
  )
  const { options } = await owner.call(routes.runs.program, { params: { id } })
  expect(options).toEqual({ language: 'python', input: ['a\ufffdb', '\ufffd', { '\ufffd': '\\u0000' }], stdin: 'é' })
})

test.each(['python', 'javascript', 'typescript', 'node'])(
  'a mark of UTF-8 at the start of %s is no mistake',
  async (language) => {
    const { status, error } = await run(JSON.stringify({ language, code: '\ufeff1' }))
    expect([status, error]).toEqual(['succeeded', undefined])
  },
)

async function refusal(response: Response): Promise<unknown> {
  const { error } = (await response.json()) as { error?: { code: string; details?: { field: string }[] } }
  return [response.status, error?.code, error?.details?.[0]?.field]
}

describe('names that mean something to JavaScript', () => {
  const input =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"prototype":3,"in":[{"__proto__":4}]}'

  test.each([
    ['javascript', 'isolate', 'export default (env, input) => ({ input, polluted: {}.polluted ?? null })'],
    ['javascript', 'process', 'export default (env, input) => ({ input, polluted: {}.polluted ?? null })'],
    ['python', 'process', 'import coherex\n{"input": coherex.input, "polluted": None}'],
  ])('reach %s in its %s as keys of the input, and come back in its result', async (language, runtime, code) => {
    const asked = JSON.stringify({ language, runtime, code }).slice(0, -1)
    const { status, error, result } = await run(`${asked},"input":${input}}`)
    expect([status, error]).toEqual(['succeeded', undefined])
    expect(JSON.stringify(result)).toBe(`{"input":${input},"polluted":null}`)
    expect(({} as { polluted?: unknown }).polluted).toBe(undefined)
  })

  test.each(['env', 'files'])('are refused as a name in "%s" where they could not arrive', async (field) => {
    const asked = (name: string) => `{"language":"python","code":"1","${field}":{"a":"1","${name}":"2"}}`
    expect(await refusal(await post('/api/v1/runs', asked('__proto__')))).toEqual([
      400,
      'invalid_input',
      `${field}.__proto__`,
    ])
    expect((await run(asked('constructor'))).status).toBe('succeeded')
  })
})

describe('an entry that is none of the files', () => {
  const ask = (body: Partial<RunRequest>) => post('/api/v1/runs', JSON.stringify({ code: '', ...body }))

  test.each(languages)('is refused where there is no code: %s', async (language) => {
    for (const files of [undefined, { 'other.txt': 'x' }]) {
      const response = await ask({ language, entry: 'constructor', ...(files && { files }) })
      expect(await refusal(response)).toEqual([400, 'invalid_input', 'entry'])
    }
  })

  test('is one of the files, or what the code is called', async () => {
    const code = 'export default () => import.meta.filename ?? "ran"'
    for (const body of [
      { language: 'python', entry: 'constructor', files: { constructor: '"ran"' } },
      { language: 'python', entry: 'a/b.py', code: '"ran"' },
      { language: 'javascript', entry: 'constructor.js', code },
    ] as const) {
      const { result } = await run(JSON.stringify({ code: '', ...body }))
      expect(result).toEqual(expect.stringMatching(/ran|constructor\.js$/))
    }
  })

  test('is refused where it is both code and one of the files, unless they are the same', async () => {
    const twice = { language: 'python', code: '"code"', files: { 'main.py': '"file"' } } as const
    expect(await refusal(await ask(twice))).toEqual([400, 'invalid_input', 'files.main.py'])
    expect(await refusal(await ask({ ...twice, entry: 'main.py', code: '\n' }))).toEqual([
      400,
      'invalid_input',
      'files.main.py',
    ])
    for (const files of [{ 'main.py': '"code"' }, { 'other.py': '"file"' }]) {
      expect((await run(JSON.stringify({ ...twice, files }))).result).toBe('code')
    }
  })

  test('was a file without code, and runs again as it did', async () => {
    const { id, status } = await run(
      JSON.stringify({ language: 'python', code: '', entry: 'empty.py', files: { 'empty.py': '' } }),
    )
    expect(status).toBe('succeeded')
    const again = await owner.call(routes.executions.retry, { params: { id }, body: {} })
    expect(again.retryOf).toBe(id)
  })
})

describe('a control character in a path', () => {
  test.each([0x01, 0x0a, 0x1b, 0x7f, 0x85, 0x9b])('is refused at every door, with the field: %i', async (code) => {
    const character = String.fromCharCode(code)
    const name = `a${character}b`
    const inUrl = encodeURIComponent(name)
    const { id } = await owner.call(routes.workspaces.create, { body: { name: 'Paths' } })
    const workspace = `/api/v1/workspaces/${id}`
    const sandbox = '/api/v1/sandboxes/sbx_00000000000000000000000000'
    const runOf = (body: object) => post('/api/v1/runs', JSON.stringify({ language: 'python', code: '1', ...body }))
    const answers = [
      ['files', runOf({ files: { [name]: '' } })],
      ['entry', runOf({ entry: name })],
      ['path', owner.fetch(`${workspace}/files/${inUrl}`, { method: 'PUT', body: 'x' })],
      ['path', owner.fetch(`${workspace}/files/${inUrl}`)],
      ['to', post(`${workspace}/move`, JSON.stringify({ from: 'a', to: name }))],
      ['path', owner.fetch(`${sandbox}/files/${inUrl}`, { method: 'PUT', body: 'x' })],
      ['path', post(`${sandbox}/folders`, JSON.stringify({ path: name }))],
      ['to', post(`${sandbox}/move`, JSON.stringify({ from: 'a', to: name }))],
    ] as const
    for (const [field, answer] of answers) {
      const named = field === 'files' ? `files.${name}` : field
      expect(await refusal(await answer)).toEqual([400, 'invalid_input', named])
    }
  })

  test('is in no file of a run: what could not be fetched by its name is not kept', async () => {
    const code = 'for name in ["a\\x7fb", "a\\x9bb", "a\\nb", "good"]: open(name, "w").write("x")'
    const { files, signs } = await run(JSON.stringify({ language: 'python', code }))
    expect({ files, signs }).toEqual({ files: [{ path: 'good', size: 1 }], signs: [] })
  })
})

test('POST /runs/route answers the receipt of a run before it is run, and records nothing', async () => {
  const route = (body: Omit<RunRequest, 'sandboxId'>) => owner.call(routes.runs.route, { body })
  const { items: before } = await owner.call(routes.runs.list, {})
  expect(await route({ language: 'javascript', code: '1' })).toEqual({
    name: 'isolate',
    reason: 'the cheapest runtime that takes javascript',
    passedOver: [],
  })
  expect(await route({ language: 'javascript', code: 'import "node:os"' })).toMatchObject({
    name: 'process',
    passedOver: [{ name: 'isolate' }],
  })
  await expect(route({ language: 'python', code: '1', runtime: 'isolate' })).rejects.toThrow('isolate')
  expect((await owner.call(routes.runs.list, {})).items).toEqual(before)
})
