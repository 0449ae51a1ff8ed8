import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

const python = (price = 'float') => `from pydantic import BaseModel


class Line(BaseModel):
    name: str
    price: ${price}


class Invoice(BaseModel):
    lines: list[Line]


class Total(BaseModel):
    total: float


def main(invoice: Invoice) -> Total:
    """Adds up an invoice."""
    print("adding", len(invoice.lines))
    return Total(total=sum(line.price for line in invoice.lines))
`
const yaml = (name: string, language: string, rest = '') => `kind: tool
name: ${name}
description: Adds up what is given
language: ${language}
licence: MIT
tags: [money]
${rest}`
const save = (files: Record<string, string>) => owner.call(routes.tools.save, { body: { files } })
const publish = (name: string, version?: number) =>
  owner.call(routes.tools.publishVersion, { params: { name }, body: version === undefined ? {} : { version } })
const call = (name: string, input: unknown, version?: number) =>
  owner.call(routes.tools.call, { params: { name }, body: { input: input as never, ...(version && { version }) } })
const tests = `tests:
  - { name: two lines, input: { lines: [{ name: a, price: 1 }, { name: b, price: 2.5 }] }, output: { total: 3.5 } }
  - { name: none, input: { lines: [] }, check: 'output["total"] == 0' }
`

test('a Python function with a model is stored, published and called; a breaking version leaves the pinned caller alone', async () => {
  const first = await save({ 'tool.yaml': yaml('invoice', 'python', tests), 'main.py': python() })
  expect(first).toMatchObject({ version: 1, state: 'proposed', input: { properties: { lines: { type: 'array' } } } })
  await expect(call('invoice', { lines: [] })).rejects.toThrow('is not published yet')
  expect(await publish('invoice')).toMatchObject({ published: true, version: 1 })
  const { output, run } = await call('invoice', { lines: [{ name: 'a', price: 2 }] })
  expect(output).toEqual({ total: 2 })
  expect(run).toMatchObject({ status: 'succeeded', language: 'python' })
  await expect(call('invoice', { lines: [{ name: 'a', price: 'x' }] })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'The input does not fit the schema: lines[0].price must be number',
  })

  const strict = python('int').replace('    price: int', '    price: int\n    amount: int')
  const next = {
    'tool.yaml': yaml('invoice', 'python', `tests:\n  - { name: none, input: { lines: [] }, output: { total: 0 } }\n`),
    'main.py': strict,
  }
  expect(await save(next)).toMatchObject({ version: 2 })
  expect((await publish('invoice')).published).toBe(true)
  expect((await call('invoice', { lines: [{ name: 'a', price: 2 }] }, 1)).output).toEqual({ total: 2 })
  await expect(call('invoice', { lines: [{ name: 'a', price: 2 }] })).rejects.toThrow('lines[0].amount is missing')
  await publish('invoice', 1)
  expect((await call('invoice', { lines: [{ name: 'a', price: 2 }] })).output).toEqual({ total: 2 })
  const { diff } = await owner.call(routes.tools.diff, { params: { name: 'invoice' }, query: { from: 1, to: 2 } })
  expect(diff).toContain('+    amount: int')
})

test('a TypeScript tool declares its schemas with Zod, and an output that does not fit fails the call', async () => {
  const code = `import { z } from 'zod'
export const input = z.object({ words: z.array(z.string()).min(1) })
export const output = z.object({ count: z.number().int() })
export default (_env: unknown, { words }: z.infer<typeof input>) => ({ count: words[0] === 'wrong' ? 'x' : words.length })
`
  const files = {
    'tool.yaml': yaml(
      'count-words',
      'typescript',
      `tests:\n  - { name: one, input: { words: [a] }, check: output.count === 1 }\n`,
    ),
    'main.ts': code,
  }
  const saved = await save(files)
  expect(saved.input).toMatchObject({ required: ['words'], properties: { words: { type: 'array', minItems: 1 } } })
  expect((await save(files)).version).toBe(1)
  expect((await publish('count-words')).published).toBe(true)
  expect((await call('count-words', { words: ['a', 'b'] })).output).toEqual({ count: 2 })
  await expect(call('count-words', { words: [] })).rejects.toThrow('words must NOT have fewer than 1 items')
  const { output, run } = await call('count-words', { words: ['wrong'] })
  expect(output).toBeUndefined()
  expect(run.error).toMatchObject({ kind: 'validation', message: expect.stringContaining('count must be integer') })
})

test('a Bash tool reads its input from a file and writes its output to another', async () => {
  const schemas =
    'input: { type: object, required: [name], properties: { name: { type: string } } }\noutput: { type: object, required: [hello] }\ntests: [{ name: ann, input: { name: Ann }, output: { hello: Ann } }]\n'
  await save({
    'tool.yaml': yaml('hello-shell', 'bash', schemas),
    'main.sh': `sed 's/"name"/"hello"/' "$COHEREX_INPUT_FILE" > "$COHEREX_RESULT"\n`,
  })
  expect(await publish('hello-shell')).toMatchObject({ published: true })
  expect((await call('hello-shell', { name: 'Bo' })).output).toEqual({ hello: 'Bo' })
})

test('types of a function are enough, and a module that breaks says why', async () => {
  const plain = 'def main(a: int, b: int = 2) -> int:\n    return a + b\n'
  const saved = await save({ 'tool.yaml': yaml('plus', 'python'), 'main.py': plain })
  expect(saved.input).toMatchObject({ required: ['a'], properties: { a: { type: 'integer' }, b: { default: 2 } } })
  const verdict = await publish('plus')
  expect(verdict.published).toBe(false)
  expect(verdict.checks.find(({ name }) => name === 'tests')).toMatchObject({ passed: false })
  expect((await call('plus', { a: 1 }, 1)).output).toBe(3)
  for (const [code, why] of [
    ['raise SystemExit(3)', 'schemas cannot be read'],
    ['x = 1', 'has no function main'],
    ['def main(:', 'schemas cannot be read'],
  ] as const)
    await expect(save({ 'tool.yaml': yaml('broken', 'python'), 'main.py': code })).rejects.toThrow(why)
})

test('a failing test keeps a version from being published; a tool is deprecated, unpublished and deleted', async () => {
  const files = (total: number) => ({
    'tool.yaml': yaml(
      'double',
      'javascript',
      `input: { type: number }\noutput: { type: number }\ntests: [{ name: two, input: 2, output: ${total} }]\n`,
    ),
    'main.js': 'export default (env, input) => input * 2\n',
  })
  await save(files(5))
  const verdict = await publish('double')
  expect(verdict).toMatchObject({
    published: false,
    checks: [
      { name: 'tests', passed: false, message: '1 of 1 failed: two: gave 4 and not 5' },
      { name: 'licence', passed: true },
      { name: 'owner', passed: true },
      { name: 'review', passed: true },
    ],
  })
  await save(files(4))
  expect((await publish('double')).published).toBe(true)
  const { results } = await owner.call(routes.tools.test, { params: { name: 'double' }, body: {} })
  expect(results).toMatchObject([{ name: 'two', passed: true }])
  const change = (
    body: { status: 'published' } | { status: 'unpublished' } | { status: 'deprecated'; reason: string },
  ) => owner.call(routes.tools.change, { params: { name: 'double' }, body })
  expect(await change({ status: 'deprecated', reason: 'Use triple' })).toMatchObject({
    status: 'deprecated',
    deprecation: 'Use triple',
  })
  expect((await call('double', 3)).output).toBe(6)
  await change({ status: 'unpublished' })
  await expect(call('double', 3)).rejects.toThrow('is unpublished')
  await change({ status: 'published' })
  const { items } = await owner.call(routes.tools.list, {
    query: { tag: 'money', language: 'javascript', search: 'dou' },
  })
  expect(items).toMatchObject([
    { name: 'double', status: 'published', version: 2, owner: { name: owner.me.person.name } },
  ])
  await owner.call(routes.tools.remove, { params: { name: 'double' } })
  await expect(call('double', 3)).rejects.toMatchObject({ code: 'not_found' })
})

test('a folder is checked without running it: every problem is named with its file and line', async () => {
  const check = (files: Record<string, string>) => owner.call(routes.tools.validate, { body: { files } })
  const code = { 'main.js': 'export default (env, input) => input' }
  const schema = 'input: { type: object, required: [n], properties: { n: { type: number } } }\n'
  expect(await check({ ...code, 'tool.yaml': yaml('plain', 'javascript', schema) })).toMatchObject({
    valid: true,
    definition: { name: 'plain' },
  })
  const wrong = `${schema}output: { type: strin }\ntests: [{ name: one, input: { n: x }, output: 1 }]\nexample: {}\n`
  const { valid, problems } = await check({ ...code, 'tool.yaml': yaml('plain', 'javascript', wrong) })
  expect([valid, problems.map(({ path, line }) => [path, line])]).toEqual([
    false,
    [
      ['output', 8],
      ['tests', 9],
      ['example', 10],
    ],
  ])
  expect(await check({ 'tool.yaml': 'kind: tool\nnamee: x\n' })).toMatchObject({ valid: false })
  expect(await check({ 'tool.yaml': yaml('plain', 'javascript') })).toMatchObject({ problems: [{ file: 'main.js' }] })
})

test('a value is checked against a schema as calls do it', async () => {
  const check = (schema: Record<string, never> | object, value: unknown) =>
    owner.call(routes.tools.check, { body: { schema: schema as never, value: value as never } })
  expect(await check({ properties: { a: { type: 'number' } } }, { a: 'x' })).toEqual({
    failures: [{ path: 'a', message: 'must be number' }],
  })
  await expect(check({ type: 'strin' }, 1)).rejects.toMatchObject({ code: 'invalid_input' })
})

test('a call that is streamed names its run, then answers; a refused one tells why', async () => {
  const files = {
    'tool.yaml': yaml('echo', 'javascript', 'input: { type: object }\n'),
    'main.js': 'export default (env, input) => input',
  }
  await save(files)
  const stream = async (input: unknown) => {
    const response = await owner.fetch('/api/v1/tools/echo/call', {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ input, version: 1 }),
    })
    return response.text()
  }
  const told = await stream({ a: 1 })
  const [, runId = ''] = /^event: call-start\ndata: \{"runId":"(run_\w+)"\}\n\nevent: call-end\n/.exec(told) ?? []
  expect((await owner.call(routes.runs.get, { params: { id: runId } })).result).toEqual({ a: 1 })
  expect(told).toContain('"output":{"a":1}')
  expect(await stream(5)).toMatch(
    /^event: call-error\ndata: \{"code":"invalid_input","message":"The input does not fit/,
  )
})

test.each<[string, Record<string, string>, string | RegExp]>([
  [
    'with a description of ten megabytes',
    { 'tool.yaml': yaml('large', 'javascript').replace('Adds up what is given', 'x'.repeat(9_000_000)) },
    /larger than 4 MB|too large|longer/i,
  ],
  [
    'with a long description',
    { 'tool.yaml': yaml('large', 'javascript').replace('Adds up what is given', 'x'.repeat(5_000)) },
    'description',
  ],
  ['with a name of an address', { 'tool.yaml': yaml('shared', 'javascript') }, 'is a word of addresses'],
  ['with a name that is a path', { 'tool.yaml': yaml('../up', 'javascript') }, 'lower-case letters'],
  [
    'with a schema that refers elsewhere',
    { 'tool.yaml': yaml('refers', 'javascript', 'input: { $ref: "https://example.com/schema.json" }\n') },
    'must lead to a part of this schema',
  ],
  [
    'with a pattern that only backtracking matches',
    { 'tool.yaml': yaml('pattern', 'javascript', 'input: { type: string, pattern: "(a)\\\\1" }\n') },
    'not valid',
  ],
  [
    'with a type that there is not',
    { 'tool.yaml': yaml('typed', 'javascript', 'input: { type: text }\n') },
    'The schema is not valid',
  ],
  [
    'with a test whose input does not fit',
    {
      'tool.yaml': yaml('misfit', 'javascript', 'input: { type: number }\ntests: [{ name: a, input: x, output: 1 }]\n'),
    },
    'The input of the test "a" does not fit the schema: it must be number',
  ],
  [
    'whose module exits on import',
    { 'tool.yaml': yaml('exits', 'python'), 'main.py': 'import os\nos._exit(0)\n' },
    'schemas cannot be read from the code',
  ],
  [
    'whose module never ends',
    { 'tool.yaml': yaml('endless', 'javascript'), 'main.js': 'for (;;);\n' },
    'schemas cannot be read from the code',
  ],
])('a tool %s is refused', { timeout: 60_000 }, async (_, files, why) => {
  await expect(save({ 'main.js': 'export default () => 1\n', ...files })).rejects.toThrow(why)
})

test(
  'what a module prints on import is not its schema, and a test that never ends is ended',
  { timeout: 60_000 },
  async () => {
    const noisy = 'print({"input": True, "output": True, "callable": True})\ndef main(a: int) -> int:\n    return a\n'
    const saved = await save({ 'tool.yaml': yaml('noisy', 'python'), 'main.py': noisy })
    expect(saved.input).toMatchObject({ required: ['a'] })
    await save({
      'tool.yaml': yaml(
        'slow',
        'javascript',
        'input: { type: number }\noutput: { type: number }\nlimits: { timeoutMs: 200 }\ntests: [{ name: ends, input: 1, output: 1 }]\n',
      ),
      'main.js': 'export default (env, n) => { for (;;); }\n',
    })
    const { published, checks } = await publish('slow')
    expect([published, checks[0]]).toMatchObject([false, { name: 'tests', passed: false }])
    expect(checks[0]?.message).toMatch(/1 of 1 failed: ends: .*(time|200 ms)/i)
  },
)

test('a schema that refers to itself is kept, checked and counted out', async () => {
  const tree = '{ type: object, required: [value], properties: { value: { type: number }, next: { $ref: "#" } } }'
  await save({
    'tool.yaml': yaml('chain', 'javascript', `input: ${tree}\noutput: true\n`),
    'main.js': 'export default (env, { next }) => (next ? 2 : 1)\n',
  })
  expect((await call('chain', { value: 1, next: { value: 2 } }, 1)).output).toBe(2)
  await expect(call('chain', { value: 1, next: { next: {} } }, 1)).rejects.toThrow('next.value is missing')
})

test('a version that came meanwhile is a conflict for who expects another one, with the way out', async () => {
  const save = (answer: number, expectedVersion?: number) => {
    const yaml = 'kind: tool\nname: contested\ndescription: d\nlanguage: javascript\ninput: true\noutput: true\n'
    const files = { 'tool.yaml': yaml, 'main.js': `export default () => ${answer}` }
    return owner.call(routes.tools.save, { body: { files, ...(expectedVersion !== undefined && { expectedVersion }) } })
  }
  await expect(save(1, 4)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('does not exist'),
  })
  expect((await save(1, 0)).version).toBe(1)
  await expect(save(2, 0)).rejects.toMatchObject({ message: expect.stringContaining('Choose another name') })
  const both = await Promise.allSettled([save(2, 1), save(3, 1)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({
    ...{ code: 'conflict', message: expect.stringContaining('save with expectedVersion 2') },
  })
  expect((await save(4, 2)).version).toBe(3)
  expect((await save(5)).version).toBe(4)
  await expect(owner.call(routes.tools.get, { params: { name: 'contested' } })).resolves.toMatchObject({
    newestVersion: 4,
  })
})

test('TypeScript types and Python docstrings of the entry are its schemas', async () => {
  const code = `interface Input {
  /** What is counted. */
  words: string[]
  least?: number
}
export default (_env: unknown, { words, least = 0 }: Input): { count: number } => ({ count: words.filter(({ length }) => length >= least).length })
`
  const typed = await save({ 'tool.yaml': yaml('typed', 'typescript'), 'main.ts': code })
  expect(typed.input).toMatchObject({
    required: ['words'],
    properties: { words: { type: 'array', description: 'What is counted.' }, least: { type: 'number' } },
  })
  expect(typed.output).toEqual({ type: 'object', properties: { count: { type: 'number' } }, required: ['count'] })
  await expect(call('typed', { words: 'x' }, 1)).rejects.toThrow('words must be array')
  expect((await call('typed', { words: ['a', 'bcd'], least: 2 }, 1)).output).toEqual({ count: 1 })
  for (const [name, doc] of [
    ['google', 'Args:\n        a (int): The first\n            number.\n        b: The other.'],
    ['numpy', 'Parameters\n    ----------\n    a : int\n        The first number.\n    b\n        The other.'],
    ['sphinx', ':param int a: The first number.\n    :param b: The other.\n    :returns: a sum'],
  ] as const) {
    const python = `def main(a: int, b: int = 2) -> int:\n    """Adds two numbers.\n\n    ${doc}\n    """\n    return a + b\n`
    const { input } = await save({ 'tool.yaml': yaml(name, 'python'), 'main.py': python })
    expect(input).toMatchObject({
      description: 'Adds two numbers.',
      properties: { a: { type: 'integer', description: 'The first number.' }, b: { description: 'The other.' } },
    })
  }
})

test('names that code cannot reach and files that hide modules are refused; files named like ours are not', async () => {
  const python = 'def main(a: int) -> int:\n    return a\n'
  for (const name of ['call', 'then'])
    await expect(save({ 'tool.yaml': yaml(name, 'python'), 'main.py': python })).rejects.toThrow('env.TOOLS.name')
  for (const path of ['json.py', 'pydantic/__init__.py', 'coherex.py'])
    await expect(save({ 'tool.yaml': yaml('hides', 'python'), 'main.py': python, [path]: 'x = 1\n' })).rejects.toThrow(
      `${path} hides the module "${path.split(/[./]/)[0]}"`,
    )
  const own = { 'call_tool.py': 'extra = 3\n', 'read_schema.py': 'extra = 4\n' }
  const adds =
    'from call_tool import extra\nimport read_schema\n\n\ndef main(a: int) -> int:\n    return a + extra + read_schema.extra\n'
  await save({ 'tool.yaml': yaml('own-names', 'python'), 'main.py': adds, ...own })
  expect((await call('own-names', { a: 1 }, 1)).output).toBe(8)
  const script = `import { extra } from './read-schema.js'\nexport default (env, n) => n + extra\n`
  await save({
    'tool.yaml': yaml('own-script', 'javascript'),
    'main.js': script,
    'read-schema.js': 'export const extra = 2\n',
  })
  expect((await call('own-script', 1, 1)).output).toBe(3)
})

test('a call of a deprecated tool says why, and lists are filtered by status and owner', async () => {
  const name = 'leaving'
  const fields = 'input: true\noutput: true\ntests: [{ name: one, input: 1, output: 1 }]\n'
  await save({ 'tool.yaml': yaml(name, 'javascript', fields), 'main.js': 'export default (env, input) => input\n' })
  await publish(name)
  expect(await call(name, 1)).not.toHaveProperty('deprecated')
  await owner.call(routes.tools.change, { params: { name }, body: { status: 'deprecated', reason: 'Use staying' } })
  expect(await call(name, 1)).toMatchObject({ output: 1, deprecated: 'Use staying' })
  const editor = await server.invite(owner, 'editor')
  const list = async (query: object) =>
    (await owner.call(routes.tools.list, { query: { limit: 100, ...query } as never })).items.map((one) => one.name)
  expect(await list({ status: 'deprecated' })).toEqual([name])
  expect(await list({ status: 'published' })).not.toContain(name)
  expect(await list({ owner: editor.me.person.id })).toEqual([])
  await owner.call(routes.tools.change, { params: { name }, body: { owner: editor.me.person.id } })
  expect(await list({ owner: editor.me.person.id })).toEqual([name])
})
