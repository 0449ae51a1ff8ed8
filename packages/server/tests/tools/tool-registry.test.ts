import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson
let editor: TestPerson
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
  editor = await server.invite(owner, 'editor')
})
afterAll(() => server.stop())

const yaml = (name: string, rest = '') => `kind: tool
name: ${name}
description: Doubles a number
language: javascript
licence: MIT
tags: [money]
input: { type: object, required: [n], properties: { n: { type: number } }, additionalProperties: false }
output: { type: number }
tests: [{ name: two, input: { n: 2 }, output: 4 }]
${rest}`
const double = 'export default (env, { n }) => (n === 13 ? "unlucky" : n * 2)\n'
const files = (name: string, code = double) => ({ 'tool.yaml': yaml(name), 'main.js': code })
const save = (by: TestPerson, given: Record<string, string>) => by.call(routes.tools.save, { body: { files: given } })
const publish = (by: TestPerson, name: string) => by.call(routes.tools.publishVersion, { params: { name }, body: {} })
const call = (by: TestPerson, name: string, input: unknown, version?: number) =>
  by.call(routes.tools.call, { params: { name }, body: { input: input as never, ...(version && { version }) } })

test('calls are counted by version and caller, with what did not fit and how long they took', async () => {
  await save(owner, files('doubled'))
  await publish(owner, 'doubled')
  for (const n of [1, 2, 3]) await call(owner, 'doubled', { n })
  const { run } = await call(editor, 'doubled', { n: 13 })
  expect(run).toMatchObject({ status: 'failed', error: { kind: 'validation' }, tool: { name: 'doubled', version: 1 } })
  // what the caller heard is what is kept
  expect(await owner.call(routes.runs.get, { params: { id: run.id } })).toMatchObject({
    status: 'failed',
    tool: { name: 'doubled', version: 1 },
  })
  await expect(call(editor, 'doubled', { n: 'x' })).rejects.toThrow('n must be number')
  const { key } = await owner.call(routes.keys.create, { body: { name: 'nightly', scopes: ['run'] } })
  await server.withKey(key)(routes.tools.call, { params: { name: 'doubled' }, body: { input: { n: 4 } } })

  const usage = await owner.call(routes.tools.usage, { params: { name: 'doubled' }, query: { days: 7 } })
  expect(usage).toMatchObject({ days: 7, calls: 6, failed: 1, invalidInput: 1, invalidOutput: 1 })
  expect(usage.p50Ms).toBeGreaterThan(0)
  expect(usage.p95Ms).toBeGreaterThanOrEqual(usage.p50Ms ?? Infinity)
  expect(usage.byVersion).toMatchObject([{ version: 1, calls: 6, failed: 1 }])
  expect(usage.byDay).toHaveLength(7)
  expect(usage.byDay.at(-1)).toMatchObject({ calls: 6, failed: 1 })
  expect(usage.callers).toEqual([
    { kind: 'person', name: 'Olga Owner', calls: 3, versions: [1] },
    { kind: 'person', name: 'editor 1', calls: 2, versions: [1] },
    { kind: 'key', name: 'nightly', calls: 1, versions: [1] },
  ])
  const { items } = await owner.call(routes.tools.list, { query: { search: 'doubled' } })
  expect(items[0]).toMatchObject({ reach: 'team', calls: [...Array(13).fill(0), 6] })
})

test('a tool that an agent or another tool names is not deleted, and says who does', async () => {
  await save(owner, files('base'))
  await publish(owner, 'base')
  await save(owner, {
    'tool.yaml': yaml('upper').replace('tests: [{ name: two, input: { n: 2 }, output: 4 }]\n', ''),
    'main.js': "export default ({ TOOLS }, input) => TOOLS['base@1'](input)\n",
  })
  const source =
    'kind: agent\nname: counter\ndescription: Counts\ninstructions: Count\ntools: ["tool:base", "tool:base@1"]\n'
  await owner.call(routes.agents.create, { body: { source } })
  const { items } = await owner.call(routes.tools.usedBy, { params: { name: 'base' } })
  expect(items).toEqual([
    { kind: 'agent', name: 'counter', version: 1, pins: null },
    { kind: 'agent', name: 'counter', version: 1, pins: 1 },
    { kind: 'tool', name: 'upper', version: 1, pins: 1 },
  ])
  const remove = (by: TestPerson, name: string) => by.call(routes.tools.remove, { params: { name } })
  await expect(remove(editor, 'base')).rejects.toThrow('that is up to Olga Owner or an admin')
  await expect(remove(owner, 'base')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('the agent "counter" and the tool "upper" use it'),
  })
  await owner.call(routes.agents.remove, { params: { name: 'counter' } })
  await remove(owner, 'upper')
  await remove(owner, 'base')
  await expect(owner.call(routes.tools.usedBy, { params: { name: 'base' } })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('one publishes and another reviews, where the team asks for that', async () => {
  const name = 'reviewed'
  const review = (
    by: TestPerson,
    body: { version: number; decision: 'approve' | 'reject' | 'comment'; note?: string },
  ) => by.call(routes.tools.review, { params: { name }, body })
  await owner.call(routes.tools.setRules, { body: { toolReview: 'person', service: null } })
  await expect(
    editor.call(routes.tools.setRules, { body: { toolReview: 'none', service: null } }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  await save(editor, files(name))
  expect(await publish(editor, name)).toMatchObject({
    published: false,
    checks: [
      { name: 'tests', passed: true },
      { name: 'licence', passed: true },
      { name: 'owner', passed: true, message: 'editor 1' },
      { name: 'review', passed: false, message: 'Version 1 needs the approval of someone else than its author' },
    ],
  })
  await expect(review(editor, { version: 1, decision: 'approve' })).rejects.toThrow('you wrote it')
  await expect(review(owner, { version: 1, decision: 'reject' })).rejects.toThrow('say why')
  await expect(review(owner, { version: 7, decision: 'approve' })).rejects.toMatchObject({ code: 'not_found' })
  const at = { file: 'main.js', line: 1 }
  await owner.call(routes.tools.review, {
    params: { name },
    body: { version: 1, decision: 'reject', note: 'Thirteen is a number too', ...at },
  })
  expect((await publish(editor, name)).checks.at(-1)).toEqual({
    name: 'review',
    passed: false,
    message: 'Olga Owner rejects version 1',
  })
  await expect(
    owner.call(routes.tools.review, {
      params: { name },
      body: { version: 1, decision: 'comment', note: 'x', file: 'other.js' },
    }),
  ).rejects.toThrow('has no file "other.js"')

  await save(editor, files(name, 'export default (env, { n }) => n * 2\n'))
  const { key } = await owner.call(routes.keys.create, { body: { name: 'all', scopes: ['admin'] } })
  const byKey = server.withKey(key)(routes.tools.review, {
    params: { name },
    body: { version: 2, decision: 'approve' },
  })
  await expect(byKey).rejects.toThrow('a signed-in person approves, not an API key')
  await review(owner, { version: 2, decision: 'approve' })
  expect(await publish(editor, name)).toMatchObject({ published: true, version: 2 })
  // the approval of one version is not that of another
  expect(await editor.call(routes.tools.publishVersion, { params: { name }, body: { version: 1 } })).toMatchObject({
    published: false,
  })
  const { items } = await editor.call(routes.tools.reviews, { params: { name }, query: {} })
  expect(items).toMatchObject([
    { version: 2, decision: 'approve', by: { kind: 'person', name: 'Olga Owner' }, file: null },
    { version: 1, decision: 'reject', note: 'Thirteen is a number too', ...at },
  ])
  await owner.call(routes.tools.setRules, { body: { toolReview: 'none', service: null } })
})

test('a private tool is seen, called and run by its owner alone, whatever asks for it', async () => {
  const name = 'mine'
  const change = (by: TestPerson, body: { reach: 'private' | 'team' | 'server' } | { owner: string }) =>
    by.call(routes.tools.change, { params: { name }, body })
  const began = new Date()
  await editor.call(routes.tools.save, { body: { files: files(name), reach: 'private' } })
  await publish(editor, name)
  const { run } = await call(editor, name, { n: 1 })
  for (const asked of [
    () => owner.call(routes.tools.get, { params: { name } }),
    () => owner.call(routes.tools.version, { params: { name, version: 1 } }),
    () => owner.call(routes.tools.reviews, { params: { name }, query: {} }),
    () => owner.call(routes.tools.usage, { params: { name }, query: {} }),
    () => owner.call(routes.tools.export, { params: { name }, query: { format: 'curl' } }),
    () => owner.call(routes.runs.get, { params: { id: run.id } }),
    () => owner.call(routes.runs.program, { params: { id: run.id } }),
    () => call(owner, name, { n: 1 }),
    () => change(owner, { reach: 'team' }),
  ])
    await expect(asked()).rejects.toMatchObject({ code: 'not_found' })
  const { items: theirs } = await owner.call(routes.tools.list, { query: { search: name } })
  expect(theirs).toEqual([])
  const runsOfTool = (by: TestPerson) => by.call(routes.runs.list, { query: { limit: 200 } })
  expect((await runsOfTool(owner)).items.map(({ id }) => id)).not.toContain(run.id)
  expect((await runsOfTool(editor)).items.map(({ id }) => id)).toContain(run.id)
  await expect(save(owner, files(name))).rejects.toMatchObject({
    code: 'conflict',
    message: 'The name "mine" is taken: choose another one',
  })
  const { items } = await editor.call(routes.tools.list, { query: { reach: 'private' } })
  expect(items).toMatchObject([{ name, owner: { name: 'editor 1' } }])
  // the runs that read its schemas and ran its tests have its code too
  const superuser = await server.database.superuser()
  const { rows } = await superuser.query(
    `SELECT count(*)::int AS open FROM coherex.run JOIN coherex.program p ON p.hash = run.program_hash AND p.team_id = run.team_id
     WHERE person_id = $1 AND private_to IS NULL AND run.created_at > $2`,
    [editor.me.person.id, began],
  )
  await superuser.end()
  expect(rows).toEqual([{ open: 0 }])

  await expect(change(editor, { owner: owner.me.person.id })).rejects.toThrow('it is private')
  await change(editor, { reach: 'team' })
  expect((await call(owner, name, { n: 4 })).output).toBe(8)
  await expect(change(owner, { reach: 'private' })).rejects.toThrow('only its owner can')
  expect(await change(owner, { owner: owner.me.person.id })).toMatchObject({ owner: { name: 'Olga Owner' } })
  await expect(change(editor, { reach: 'private' })).rejects.toThrow('that is up to Olga Owner or an admin')
  await expect(change(owner, { owner: 'per_00000000000000000000000000' })).rejects.toMatchObject({ code: 'not_found' })
})

test('another team sees what is offered and installs a copy of a version, which stays as it was', async () => {
  const name = 'offered'
  await save(owner, files(name))
  await publish(owner, name)
  const other = await server.stranger(owner)
  const shared = () => other.call(routes.tools.shared, { query: {} })
  expect((await shared()).items).toEqual([])
  const team = owner.me.team?.id ?? ''
  const install = (version?: number) =>
    other.call(routes.tools.install, { params: { team, name }, body: version === undefined ? {} : { version } })
  await expect(install()).rejects.toMatchObject({ code: 'not_found' })
  await owner.call(routes.tools.change, { params: { name }, body: { reach: 'server' } })
  expect((await shared()).items).toMatchObject([
    { team: { id: team, name: 'First team' }, name, version: 1, licence: 'MIT', tags: ['money'] },
  ])
  // those of the team are no others
  expect((await owner.call(routes.tools.shared, { query: {} })).items).toEqual([])
  await save(owner, files(name, 'export default () => 5\n'))
  await expect(install(2)).rejects.toThrow('offers no version 2')
  expect(await install()).toMatchObject({ version: 1, state: 'proposed', note: 'Copied from First team, version 1' })
  await expect(call(other, name, { n: 3 })).rejects.toThrow('is not published yet')
  expect((await publish(other, name)).published).toBe(true)
  await owner.call(routes.tools.change, { params: { name }, body: { reach: 'team' } })
  await owner.call(routes.tools.remove, { params: { name } })
  expect((await call(other, name, { n: 3 })).output).toBe(6)
  expect((await shared()).items).toEqual([])
})

test('a tool is made of a folder, of one file, of a code block and of a run, whose input and result are its first test', async () => {
  const { id: workspaceId } = await owner.call(routes.workspaces.create, { body: { name: 'Code' } })
  const put = (path: string, text: string) =>
    owner.call(routes.workspaces.changeFiles, {
      params: { id: workspaceId },
      body: { write: [{ path, text }] },
    })
  await put('tools/twice/tool.yaml', `# ours\n${yaml('twice')}`)
  await put('tools/twice/main.js', double)
  await put('notes/add.py', 'def main(a: int, b: int = 2) -> int:\n    return a + b\n')
  const make = (body: object) => owner.call(routes.tools.save, { body: body as never })
  const folder = await make({ from: { workspaceId, path: 'tools/twice' }, name: 'thrice', description: 'Also doubles' })
  expect(folder.definition).toMatchObject({ name: 'thrice', description: 'Also doubles' })
  expect(folder.files['tool.yaml']).toContain('# ours')
  expect((await make({ from: { workspaceId, path: 'tools/twice/tool.yaml' } })).definition.name).toBe('twice')
  const block = await make({
    from: { code: 'def main(a: int, b: int) -> int:\n    return a - b\n', language: 'python' },
    ...{ name: 'minus', description: 'Subtracts' },
  })
  expect([block.definition.entry, Object.keys(block.files).toSorted()]).toEqual(['main.py', ['main.py', 'tool.yaml']])
  const called = { params: { name: 'minus' }, body: { input: { a: 5, b: 3 }, version: 1 } }
  expect((await owner.call(routes.tools.call, called)).output).toBe(2)
  await expect(make({ from: { code: '', language: 'python' } as never })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  const needs = { network: { allow: ['https://example.com/'] }, limits: { timeoutMs: 5_000, memoryMb: 300 } }
  const limited = await make({ from: { workspaceId, path: 'notes/add.py' }, name: 'limited', ...needs })
  expect(limited.definition).toMatchObject(needs)
  const again = await make({ files: limited.files, limits: { timeoutMs: 6_000 } })
  expect(again.definition).toMatchObject({ network: needs.network, limits: { timeoutMs: 6_000 } })
  const file = await make({ from: { workspaceId, path: 'notes/add.py' }, licence: 'MIT' })
  expect(file).toMatchObject({ definition: { name: 'add', language: 'python' }, input: { required: ['a'] } })
  expect((await call(owner, 'add', { a: 1 }, 1)).output).toBe(3)
  await put('folder/tool.py', 'from parts import half\n\n\ndef main(n: int) -> float:\n    return half(n)\n')
  await put('folder/parts.py', 'def half(n):\n    return n / 2\n')
  const bare = await make({
    from: { workspaceId, path: 'folder' },
    name: 'halve',
    description: 'Halves',
    licence: 'MIT',
  })
  expect(bare.definition).toMatchObject({ name: 'halve', description: 'Halves', licence: 'MIT', entry: 'tool.py' })
  expect((await call(owner, 'halve', { n: 3 }, 1)).output).toBe(1.5)
  for (const [from, why] of [
    [{ workspaceId, path: 'nothing' }, 'no file or folder "nothing"'],
    [{ workspaceId }, 'tool.yaml is missing'],
    [{ workspaceId: 'wsp_00000000000000000000000000' }, 'no such workspace'],
    [{ runId: 'run_00000000000000000000000000' }, 'There is no such run'],
  ] as const)
    await expect(make({ from })).rejects.toThrow(new RegExp(why, 'i'))
  await expect(make({ from: { workspaceId }, files: {} })).rejects.toThrow('Say either files or from')

  const execute = (body: object) => owner.call(routes.runs.create, { body: body as never })
  for (const [program, result] of [
    [{ language: 'python', code: 'import coherex\nn = coherex.input["n"]\nn * 3' }, 12],
    [{ language: 'javascript', code: "import { input } from 'coherex'\nconst { n } = input\nn * 3" }, 12],
    [{ language: 'typescript', code: 'export default (env: unknown, { n }: { n: number }) => n * 3' }, 12],
  ] as const) {
    const ran = await execute({ ...program, input: { n: 4 } })
    expect(ran).toMatchObject({ status: 'succeeded', result })
    const name = `from-${program.language}`
    const made = await make({ from: { runId: ran.id }, name, description: 'Triples', licence: 'MIT' })
    expect(made.definition.tests).toEqual([{ name: ran.id, input: { n: 4 }, output: 12 }])
    expect(await publish(owner, name)).toMatchObject({ published: true })
    expect((await call(owner, name, { n: 5 })).output).toBe(15)
  }
  const broken = await execute({ language: 'javascript', code: 'throw new Error("no")' })
  await expect(make({ from: { runId: broken.id } })).rejects.toThrow('it is failed')
})

test.each(['python-tool', 'typescript-tool'] as const)('the template %s is published as it is', async (template) => {
  const { id: workspaceId } = await owner.call(routes.workspaces.create, { body: { name: template, template } })
  const { definition } = await owner.call(routes.tools.save, { body: { from: { workspaceId } } })
  expect(await publish(owner, definition.name)).toMatchObject({ published: true })
})

test('tool.yaml says where a tool runs, who owns it and who sees it', async () => {
  const name = 'told-in-yaml'
  const { email, id } = editor.me.person
  const say = (more: string) => save(owner, { 'tool.yaml': yaml(name, more), 'main.js': double })
  await say('runtime: process\nreach: private\n')
  await expect(call(editor, name, { n: 2 }, 1)).rejects.toMatchObject({ code: 'not_found' })
  await publish(owner, name)
  expect((await call(owner, name, { n: 2 })).run.runtime?.name).toBe('process')
  await say(`reach: server\nowner: ${email}\n`)
  expect((await owner.call(routes.tools.get, { params: { name } })).reach).toBe('private')
  await publish(owner, name)
  expect(await owner.call(routes.tools.get, { params: { name } })).toMatchObject({ reach: 'server', owner: { id } })
  // publishing is one transaction: nothing of what is refused is kept
  await say('reach: team\nowner: nobody@example.com\n')
  await expect(publish(owner, name)).rejects.toThrow('nobody@example.com is not in the team')
  expect(await owner.call(routes.tools.get, { params: { name } })).toMatchObject({ version: 2, reach: 'server' })
})
