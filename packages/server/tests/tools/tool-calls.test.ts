import { routes, type Run, type RunRequest } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
  await publish('double', 'export default (env, { value }) => value * 2', {
    input: '{ type: object, required: [value], properties: { value: { type: number } } }',
  })
})
afterAll(() => server.stop())

interface Made {
  input?: string
  language?: string
  more?: string
  example?: string
}

/** Stores and publishes a tool whose only test checks nothing of what it does. */
async function publish(
  name: string,
  code: string,
  { input = 'true', language = 'javascript', more = '', example = '{ value: 1 }' }: Made = {},
) {
  const entry =
    { javascript: 'main.js', typescript: 'main.ts', python: 'main.py', node: 'main.mjs' }[language] ?? 'main.js'
  const check = language === 'python' ? 'True' : 'true'
  const yaml = `kind: tool\nname: ${name}\ndescription: A tool\nlanguage: ${language}\nlicence: MIT\ninput: ${input}\noutput: true\n${more}tests: [{ name: runs, input: ${example}, check: '${check}' }]\n`
  await owner.call(routes.tools.save, { body: { files: { 'tool.yaml': yaml, [entry]: code } } })
  const { published, checks, version } = await owner.call(routes.tools.publishVersion, { params: { name }, body: {} })
  expect(published, JSON.stringify(checks)).toBe(true)
  return version
}
const run = (request: RunRequest, as: Pick<TestPerson, 'call'> = owner): Promise<Run> =>
  as.call(routes.runs.create, { body: request })
const script = (body: string) => run({ language: 'javascript', code: `export default async (env) => { ${body} }` })
const call = (name: string, input: unknown) =>
  owner.call(routes.tools.call, { params: { name }, body: { input: input as never } })

const callDouble = `const six = await env.TOOLS.double({ value: 3 })
  return [six, await env.TOOLS['double@1']({ value: 4 }), await env.TOOLS.call('double@1', { value: 5 }), await env.TOOLS.then]`

test.each<[string, RunRequest]>([
  ['JavaScript in an isolate', { language: 'javascript', code: `export default async (env) => { ${callDouble} }` }],
  [
    'TypeScript',
    {
      language: 'typescript',
      code: `import { TOOLS } from 'coherex'\nexport default async (): Promise<unknown> => { const env = { TOOLS }; ${callDouble} }`,
    },
  ],
  ['Node', { language: 'javascript', runtime: 'process', code: `export default async (env) => { ${callDouble} }` }],
  [
    'Python',
    {
      language: 'python',
      code: 'import coherex\n[coherex.tools.double(value=3), coherex.tools["double@1"]({"value": 4}), coherex.tools.call("double@1", {"value": 5}), None]',
    },
  ],
])('%s calls tools of the team, in their published version or a pinned one', async (_, request) => {
  const { result, error } = await run(request)
  expect(error).toBeUndefined()
  expect(result).toEqual([6, 8, 10, null])
})

test('each call is a run of its own that names the run that made it', async () => {
  const outer = await script('return env.TOOLS.double({ value: 21 })')
  expect(outer.result).toBe(42)
  const { items } = await owner.call(routes.runs.list, { query: { limit: 5 } })
  const inner = items.find(({ id }) => id !== outer.id)
  const full = await owner.call(routes.runs.get, { params: { id: inner?.id ?? '' } })
  expect(full).toMatchObject({ status: 'succeeded', result: 42, startedBy: { kind: 'run', id: outer.id } })
  expect(full.runtime?.name).toBe('isolate')
})

test('what cannot be called is an error that the code can catch, with the path of what does not fit', async () => {
  await owner.call(routes.tools.save, {
    body: {
      files: {
        'tool.yaml': 'kind: tool\nname: draft\ndescription: d\nlanguage: javascript\ninput: true\noutput: true\n',
        'main.js': 'export default () => 1',
      },
    },
  })
  await publish('gone', 'export default () => 1')
  await owner.call(routes.tools.change, { params: { name: 'gone' }, body: { status: 'unpublished' } })
  await publish('broken', 'export default (env, { value }) => { if (value > 1) throw new Error("too much") }')
  const { result } = await script(`
    const codes = []
    for (const call of [
      () => env.TOOLS.double({ value: 'x' }), () => env.TOOLS.nothing(), () => env.TOOLS.draft(), () => env.TOOLS.gone(),
      () => env.TOOLS['double@9']({ value: 1 }), () => env.TOOLS.call('No Name'), () => env.TOOLS.broken({ value: 2 }),
    ]) codes.push(await call().then(() => 'none', (error) => [error.name, error.code, error.message]))
    return codes`)
  expect(result).toEqual([
    [
      'CapabilityError',
      'INVALID_INPUT',
      'Cannot call "double": The input does not fit the schema: value must be number',
    ],
    ['CapabilityError', 'NOT_FOUND', expect.stringContaining('nothing')],
    ['CapabilityError', 'CONFLICT', 'Cannot call "draft": The tool "draft" is not published yet'],
    ['CapabilityError', 'CONFLICT', 'Cannot call "gone": The tool "gone" is unpublished'],
    ['CapabilityError', 'NOT_FOUND', expect.stringContaining('version 9')],
    ['CapabilityError', 'INVALID_ARGUMENT', expect.stringContaining('names no tool')],
    ['CapabilityError', 'TOOL_FAILED', expect.stringMatching(/^The tool "broken" failed: .*too much \(run_/)],
  ])
})

test('a version that was never published is called by those who may write it and name it, and by nothing else', async () => {
  const at = { name: 'waiting' }
  await publish(at.name, 'export default () => 1')
  const files = {
    'tool.yaml':
      'kind: tool\nname: waiting\ndescription: d\nlanguage: javascript\nui: view.html\ninput: true\noutput: true\n',
    'main.js': 'export default () => 2',
    'view.html': '<p>Two</p>',
  }
  expect((await owner.call(routes.tools.save, { body: { files } })).version).toBe(2)
  const message = 'Version 2 of the tool "waiting" was never published'
  const tryIt = (as: Pick<TestPerson, 'call'>) =>
    as.call(routes.tools.call, { params: at, body: { input: {}, version: 2 } })
  const withScopes = async (scopes: ('run' | 'write')[]) => {
    const { key } = await owner.call(routes.keys.create, { body: { name: scopes.join(), scopes } })
    return { call: server.withKey(key) }
  }
  expect((await tryIt(owner)).output).toBe(2)
  expect((await tryIt(await withScopes(['run', 'write']))).output).toBe(2)
  await expect(tryIt(await withScopes(['run']))).rejects.toMatchObject({ code: 'conflict', message })
  expect((await script(`return env.TOOLS['waiting@2']().catch((error) => error.message)`)).result).toBe(
    `Cannot call "waiting": ${message}`,
  )
  const query = { format: 'curl' as const, version: 2 }
  await expect(owner.call(routes.tools.export, { params: at, query })).rejects.toMatchObject({ message })
  // one that was replaced is still there for those who pinned it
  await publish(at.name, 'export default () => 3')
  expect((await script(`return env.TOOLS['waiting@1']()`)).result).toBe(1)
})

test('a Python tool calls a JavaScript one, and a circle of them is refused with the way it took', async () => {
  const python =
    'import coherex\n\ndef main(value: int) -> dict:\n    return {"twice": coherex.tools.double(value=value)}\n'
  await publish('from-python', python, { language: 'python', input: 'code' })
  expect((await call('from-python', { value: 4 })).output).toEqual({ twice: 8 })
  const next = (name: string) => `export default (env, { value }) => value > 1 ? env.TOOLS.${name}({ value }) : value`
  await publish('ping', next('pong'))
  await publish('pong', next('ping'))
  const { run: ended } = await call('ping', { value: 2 })
  expect(ended.error?.message).toContain('it would call itself: ping → pong → ping')
  const itself = await publish('itself', next('itself'))
  expect(itself).toBe(1)
  expect((await call('itself', { value: 2 })).run.error?.message).toContain('itself → itself')
})

test('tools call each other eight deep and no deeper', async () => {
  for (let at = 9; at >= 1; at--)
    await publish(
      `level-${at}`,
      `export default (env, { value }) => value >= ${at} ? env.TOOLS['level-${at + 1}']({ value }) : ${at}`,
      { example: '{ value: 0 }' },
    )
  expect((await call('level-1', { value: 7 })).output).toBe(8)
  const { run: ended } = await call('level-1', { value: 8 })
  expect(ended.error?.message).toContain('at most 8 deep: level-1 → level-2')
}, 60_000)

test('a run that calls tools without end is stopped after a thousand calls, and many at once take turns', async () => {
  const { result } = await script(
    'return Promise.all(Array.from({ length: 40 }, (_, value) => env.TOOLS.double({ value })))',
  )
  expect(result).toEqual(Array.from({ length: 40 }, (_, value) => value * 2))
  await publish(
    'endless',
    'export default async (env, { value }) => { for (let at = 0; at < value; at++) await env.TOOLS.endless().catch((error) => { if (error.code === "LIMIT_EXCEEDED") throw error }) }',
    { example: '{ value: 0 }' },
  )
  const { run: ended } = await call('endless', { value: 5_000 })
  expect(ended.error?.message).toContain('one run leads to 1000 calls of tools at most')
}, 60_000)

test('calls end with the run that made them', async () => {
  await publish(
    'slow',
    'export default async (env, { value }) => { await new Promise((done) => setTimeout(done, value)) }',
  )
  const outer = await run({
    language: 'javascript',
    code: 'export default (env) => env.TOOLS.slow({ value: 20_000 })',
    limits: { timeoutMs: 1_500 },
  })
  expect(outer.error?.kind).toBe('timeout')
  await expect
    .poll(async () => {
      const { items } = await owner.call(routes.runs.list, { query: { limit: 1 } })
      return items[0]?.status
    })
    .toBe('cancelled')
})

test('a key with the scope run calls tools by its code, and loses them with its rights; a viewer runs nothing', async () => {
  const { key, id } = await owner.call(routes.keys.create, { body: { name: 'runner', scopes: ['run'] } })
  const withKey = { call: server.withKey(key) }
  const request: RunRequest = { language: 'javascript', code: 'export default (env) => env.TOOLS.double({ value: 1 })' }
  expect((await run(request, withKey)).result).toBe(2)
  const begun = await withKey.call(routes.runs.create, {
    query: { wait: 'false' },
    body: {
      language: 'javascript',
      code: `export default async (env) => { console.log('begun'); await new Promise((done) => setTimeout(done, 1500)); return env.TOOLS.double({ value: 1 }).catch((error) => [error.code, error.message]) }`,
    },
  })
  await expect
    .poll(async () => (await owner.call(routes.runs.get, { params: { id: begun.id } })).status)
    .toBe('running')
  await owner.call(routes.keys.revoke, { params: { id } })
  await expect
    .poll(async () => (await owner.call(routes.runs.get, { params: { id: begun.id } })).result, { timeout: 10_000 })
    .toEqual(['NOT_ALLOWED', 'Cannot call "double": the API key it was begun with was revoked'])
  const viewer = await server.invite(owner, 'viewer')
  await expect(
    viewer.call(routes.tools.call, { params: { name: 'double' }, body: { input: { value: 1 } } }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  await expect(run(request, viewer)).rejects.toMatchObject({ code: 'forbidden' })
})

test('a cell of a sandbox calls tools too', async () => {
  const { id } = await owner.call(routes.sandboxes.create, { body: {} })
  const cell = (language: 'python' | 'javascript', code: string) => run({ language, code, sandboxId: id })
  expect((await cell('python', 'import coherex\ncoherex.tools.double(value=8)')).result).toBe(16)
  expect(
    (await cell('javascript', `const { env } = await import('coherex')\nawait env.TOOLS.double({ value: 9 })`)).result,
  ).toBe(18)
}, 60_000)

test('a tool has the variables that its version names, set for it alone', async () => {
  const at = { name: 'taxed' }
  const code = 'export default async ({ VARS }, { value }) => [value * Number(VARS.RATE), await VARS.all()]'
  const yaml = (variables: string) =>
    `kind: tool\nname: taxed\ndescription: d\nlanguage: javascript\nlicence: MIT\ninput: true\noutput: true\nvariables: ${variables}\ntests: [{ name: runs, input: { value: 1 }, check: 'true' }]\n`
  const save = (variables: string) =>
    owner.call(routes.tools.save, { body: { files: { 'tool.yaml': yaml(variables), 'main.js': code } } })
  await save('[RATE]')
  const callVersion = (version: number, as: Pick<TestPerson, 'call'> = owner) =>
    as.call(routes.tools.call, { params: at, body: { input: { value: 2 }, version } })
  await expect(callVersion(1)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('needs the variable RATE, which is not set'),
  })
  for (const [variable, value] of [
    ['RATE', '7'],
    ['OTHER', 'x'],
  ] as const)
    await owner.call(routes.variables.putOfTool, { params: { ...at, variable }, body: { value } })
  const { output, run: done } = await callVersion(1)
  expect(output).toEqual([14, { RATE: '7' }])
  expect(done.runtime?.variables).toEqual([{ name: 'RATE', from: 'tool' }])
  await expect(save('["NO NAME"]')).rejects.toMatchObject({ code: 'invalid_input' })
  await owner.call(routes.tools.publishVersion, { params: at, body: {} })
  // what calls it brings none of its own
  const { result } = await run({
    ...{ language: 'javascript', env: { RATE: '99', MINE: '1' } },
    code: `export default (env) => env.TOOLS['taxed@1']({ value: 2 })`,
  })
  expect(result).toEqual([14, { RATE: '7' }])
  const { items } = await owner.call(routes.variables.list, { query: { search: 'taxed' } })
  expect(items.map(({ owner: of, name }) => [of, name])).toEqual([
    [{ kind: 'tool', id: 'taxed', name: 'taxed' }, 'OTHER'],
    [{ kind: 'tool', id: 'taxed', name: 'taxed' }, 'RATE'],
  ])
  await owner.call(routes.variables.removeOfTool, { params: { ...at, variable: 'RATE' } })
  await expect(callVersion(1)).rejects.toMatchObject({ code: 'conflict' })
})

test('calls of a version share an isolate and nothing else; fresh asks for a new one', async () => {
  const code = `let count = 0
export default async (env, { value }) => {
  count++
  const before = [count, globalThis.left ?? null, ({}).polluted ?? null, env.VARS.LEFT ?? null, await env.FILES.exists('left.txt')]
  globalThis.left = value
  Object.prototype.polluted = value
  await env.FILES.write('left.txt', String(value))
  return before
}`
  await publish('counter', code)
  const clean = [1, null, null, null, false]
  const callCounter = (fresh = false) =>
    owner.call(routes.tools.call, { params: { name: 'counter' }, body: { input: { value: 1 }, fresh } })
  const runs: Run[] = []
  for (let at = 0; at < 6; at++) {
    const { output, run: done } = await callCounter()
    expect(output).toEqual(clean)
    runs.push(done)
  }
  // each process that a team has keeps its own
  const warm = runs.find(({ runtime }) => runtime?.kept)
  const stored = await owner.call(routes.runs.get, { params: { id: warm?.id ?? '' } })
  expect(stored.runtime?.kept).toBe(true)
  const { output, run: anew } = await callCounter(true)
  expect([output, anew.runtime?.kept]).toEqual([clean, undefined])
  // a version of its own has an isolate of its own
  expect(await publish('counter', `${code}\n`)).toBe(2)
  expect((await callCounter()).run.runtime?.kept).toBeUndefined()
  // and runs that are no calls have none
  expect((await script('return 1')).runtime?.kept).toBeUndefined()
})

test('another team’s call of a tool of the same name and files shares no isolate', async () => {
  const stranger = await server.stranger(owner)
  const files = {
    'tool.yaml': 'kind: tool\nname: tally\ndescription: d\nlanguage: javascript\ninput: true\noutput: true\n',
    'main.js': 'export default () => (globalThis.left = (globalThis.left ?? 0) + 1)',
  }
  const callAs = (as: TestPerson) =>
    as.call(routes.tools.call, { params: { name: 'tally' }, body: { input: {}, version: 1 } })
  for (const as of [owner, stranger]) await as.call(routes.tools.save, { body: { files } })
  for (let at = 0; at < 4; at++) await callAs(owner)
  const { output, run: first } = await callAs(stranger)
  expect([output, first.runtime?.kept]).toEqual([1, undefined])
})

test('[J07] [D02] polluting inputs and outputs of calls are data, and leave nothing in a kept isolate', async () => {
  await publish(
    'poisoned',
    `export default (env, input) => {
  const before = [({}).isAdmin ?? null, [1].map((n) => n + 1)[0], typeof globalThis.left, Object.isFrozen(Object.prototype)]
  Object.prototype.isAdmin = true
  Array.prototype.map = () => { throw 1 }
  globalThis.left = 1
  Object.freeze(Object.prototype)
  return { before, keys: Object.keys(input), poison: JSON.parse('{"__proto__":{"isAdmin":true}}') }
}`,
  )
  const body = '{"input":{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}}'
  const headers = { 'content-type': 'application/json' }
  const kept: unknown[] = []
  for (let at = 0; at < 6; at++) {
    const answer = await owner.fetch('/api/v1/tools/poisoned/call', { method: 'POST', headers, body })
    const { output, run: done } = JSON.parse(await answer.text()) as { output: Record<string, unknown>; run: Run }
    expect(output['before']).toEqual([null, 2, 'undefined', false])
    expect(output['keys']).toEqual(['__proto__', 'constructor'])
    kept.push(done.runtime?.kept)
  }
  expect(kept).toContain(true)
  expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined()
})

test('calls of one Python version leave each other no globals, files, environment or modules', async () => {
  const code = `import builtins
import os
import pathlib
import sys

count = 0


def main(value: int) -> list:
    global count
    count += 1
    before = [count, hasattr(builtins, "left"), "LEFT" in os.environ, pathlib.Path("left.txt").exists(), "left" in sys.modules]
    builtins.left = value
    os.environ["LEFT"] = str(value)
    pathlib.Path("left.txt").write_text(str(value))
    sys.modules["left"] = sys
    return before
`
  await publish('python-counter', code, { language: 'python', input: 'code' })
  for (let at = 0; at < 4; at++)
    expect((await call('python-counter', { value: 1 })).output).toEqual([1, false, false, false, false])
})
