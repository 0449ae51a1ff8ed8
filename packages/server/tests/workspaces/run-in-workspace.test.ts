import { languageOfFile, routes, type RunRequest } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

const { workspaces: route } = routes
let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

const write = (id: string, path: string, body: string) => owner.call(route.writeFile, { params: { id, path }, body })
const run = (body: RunRequest) => owner.call(routes.runs.create, { body })
const textOf = (output: { text?: string }[]) => output.map((line) => line.text ?? '').join('\n')

describe('the templates', () => {
  test.each([
    ['sample', 'primes.ts', 'There are 168 primes'],
    ['sample', 'greeting.js', 'Hello, world!'],
    ['sample', 'data/mean.py', 'Monday'],
    ['sample', 'report.sh', 'data/temperatures.csv'],
    ['sample', 'system.cjs', 'SHA-256 of the data'],
    ['sample', 'numbers.sql', ''],
    ['typescript-tool', 'tool.test.ts', 'The tool works'],
    ['python-tool', 'check.py', 'The tool works'],
    ['data-notebook', 'notebook.py', 'North'],
  ] as const)('%s: %s runs as it is', async (template, entry, expected) => {
    const { id } = await owner.call(route.create, { body: { name: template, template } })
    const language = languageOfFile(entry)
    if (!language) throw new Error(`no language runs ${entry}`)
    const ended = await run({ language, code: '', entry, workspaceId: id })
    expect({ status: ended.status, error: ended.error, workspace: ended.workspace }).toEqual({
      status: 'succeeded',
      error: undefined,
      workspace: { id, version: 1 },
    })
    expect(textOf(ended.output as { text?: string }[])).toContain(expected)
  })

  test('runs.list answers the runs of a workspace with the file each of them ran', async () => {
    const make = async () => (await owner.call(route.create, { body: { name: 'Listed', template: 'sample' } })).id
    const [id, other] = [await make(), await make()]
    for (const entry of ['greeting.js', 'primes.ts']) {
      await run({ language: languageOfFile(entry) ?? 'javascript', code: '', entry, workspaceId: id })
    }
    const entries = async (workspaceId: string) =>
      (await owner.call(routes.runs.list, { query: { workspaceId } })).items.map(({ entry }) => entry)
    expect([await entries(id), await entries(other)]).toEqual([['primes.ts', 'greeting.js'], []])
  })

  test('tools answer an input', async () => {
    const make = async (template: 'typescript-tool' | 'python-tool') =>
      (await owner.call(route.create, { body: { name: template, template } })).id
    const words = await run({
      ...{ language: 'typescript', code: '', entry: 'tool.ts', input: { text: 'a bcd ef' } },
      workspaceId: await make('typescript-tool'),
    })
    expect(words.result).toEqual({ words: 3, characters: 8, longest: 'bcd' })
    const numbers = await run({
      ...{ language: 'python', code: '', entry: 'tool.py', input: { numbers: [1, 2, 6] } },
      workspaceId: await make('python-tool'),
    })
    expect(numbers.result).toEqual({ count: 3, smallest: 1, largest: 6, mean: 3 })
  })
})

describe('a run in a workspace', () => {
  const code = `import pathlib
data = pathlib.Path('in.txt').read_text()
pathlib.Path('out').mkdir(exist_ok=True)
pathlib.Path('out/result.txt').write_text(data.upper())
pathlib.Path('out/x.bin').write_bytes(bytes([0, 255]))
pathlib.Path('scratch.txt').write_text('not to be kept')
pathlib.Path('in.txt').write_text('spoiled')`

  test('has its files, and brings back what keep names as one version of its own', async () => {
    const { id } = await owner.call(route.create, { body: { name: 'Runs' } })
    await write(id, 'in.txt', 'hello')
    const without = await run({ language: 'python', code, workspaceId: id })
    expect(without.status).toBe('succeeded')
    expect((await owner.call(route.get, { params: { id } })).version).toBe(1)

    const ended = await run({ language: 'python', code, workspaceId: id, keep: ['out/**'] })
    const { items } = await owner.call(route.listVersions, { params: { id }, query: { limit: 1 } })
    expect(items).toMatchObject([
      {
        number: 2,
        author: { kind: 'run', id: ended.id, name: 'Run of Olga Owner', door: 'run' },
        changes: [
          { path: 'out/result.txt', change: 'added' },
          { path: 'out/x.bin', change: 'added' },
        ],
      },
    ])
    expect(await owner.call(route.readFile, { params: { id, path: 'out/result.txt' } })).toBe('HELLO')
    expect(await owner.call(route.readFile, { params: { id, path: 'in.txt' } })).toBe('hello')
    expect((await owner.call(routes.runs.get, { params: { id: ended.id } })).workspace).toEqual({ id, version: 1 })
  })

  test('can have the files of an older version, and code beside them', async () => {
    const { id } = await owner.call(route.create, { body: { name: 'Versions' } })
    await write(id, 'value.js', 'export const value = 1\n')
    await write(id, 'value.js', 'export const value = 2\n')
    const program = { language: 'javascript' as const, code: `import { value } from './value.js'\nvalue` }
    expect((await run({ ...program, workspaceId: id })).result).toBe(2)
    expect((await run({ ...program, workspaceId: id, workspaceVersion: 1 })).result).toBe(1)
    await expect(run({ ...program, workspaceId: id, workspaceVersion: 7 })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('says to the code that its files are a workspace’s', async () => {
    const { id } = await owner.call(route.create, { body: { name: 'Spaces' } })
    await write(id, 'a.txt', 'from the workspace')
    const code = `export default async (env) => [(await env.ECHO.info()).capabilities.FILES.props.space, await env.FILES.read('a.txt')]`
    expect((await run({ language: 'javascript', code, workspaceId: id })).result).toEqual([
      'workspace',
      'from the workspace',
    ])
    expect(
      (await run({ language: 'javascript', code: code.replace("'a.txt'", "'main.js'").replace('read(', 'exists(') }))
        .result,
    ).toEqual(['scratch', false])
  })

  test('that fails brings nothing back, and one that cannot bring back says so', async () => {
    const { id } = await owner.call(route.create, { body: { name: 'Failing' } })
    await write(id, 'taken', 'a file')
    const failed = `echo x > a.txt; exit 3`
    expect((await run({ language: 'bash', code: failed, workspaceId: id, keep: ['**'] })).status).toBe('failed')
    const inTheWay = `rm taken; mkdir taken; echo x > taken/a.txt`
    const ended = await run({ language: 'bash', code: inTheWay, workspaceId: id, keep: ['**'] })
    expect(ended.status).toBe('succeeded')
    expect(textOf(ended.output as { text?: string }[])).toContain('the files were not brought back')
    expect((await owner.call(route.get, { params: { id } })).version).toBe(1)
  })

  test('keeps no link: what it stands for is another file, and nothing is emptied in its place', async () => {
    const { id } = await owner.call(route.create, { body: { name: 'Links' } })
    await write(id, 'data.txt', 'a file')
    const code = `mv data.txt store.txt; ln -s store.txt data.txt; ln -s nothing dangling`
    const ended = await run({ language: 'bash', code, workspaceId: id, keep: ['**'] })
    expect(ended.files).toEqual([{ path: 'store.txt', size: 6 }])
    expect(await owner.call(route.readFile, { params: { id, path: 'data.txt' } })).toBe('a file')
    expect(await owner.call(route.readFile, { params: { id, path: 'store.txt' } })).toBe('a file')
  })

  test('takes the right to write where it brings back, and a workspace of the team', async () => {
    const { id } = await owner.call(route.create, { body: { name: 'Rights' } })
    const { key } = await owner.call(routes.keys.create, { body: { name: 'runner', scopes: ['run'] } })
    const runner = server.withKey(key)
    const body = { language: 'bash' as const, code: 'true', workspaceId: id }
    expect((await runner(routes.runs.create, { body })).status).toBe('succeeded')
    await expect(runner(routes.runs.create, { body: { ...body, keep: ['**'] } })).rejects.toMatchObject({
      code: 'forbidden',
    })
    const unknown = { ...body, workspaceId: 'wsp_00000000000000000000000000' }
    await expect(runner(routes.runs.create, { body: unknown })).rejects.toMatchObject({ code: 'not_found' })
    await expect(run({ language: 'python', code: '', entry: 'no.py', workspaceId: id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('the variables of a workspace', () => {
  const { putOfWorkspace, removeOfWorkspace, listOfWorkspace } = routes.variables
  const set = (id: string, variable: string, value: string) =>
    owner.call(putOfWorkspace, { params: { id, variable }, body: { value } })
  const inShell = { language: 'bash' as const, code: 'echo "$REGION/$LEVEL"' }

  test('are in the environment of its runs, beneath their own, and the receipt says whose is whose', async () => {
    const { id } = await owner.call(route.create, { body: { name: 'Settings' } })
    await set(id, 'REGION', 'north')
    await set(id, 'LEVEL', 'low')
    const code = `export default async (env) => [env.VARS.REGION, await env.VARS.get('LEVEL')]`
    const own = await run({ language: 'javascript', code, workspaceId: id, env: { LEVEL: 'high' } })
    expect(own.result).toEqual(['north', 'high'])
    const variables = [
      { name: 'LEVEL', from: 'run' },
      { name: 'REGION', from: 'workspace' },
    ]
    expect((await owner.call(routes.runs.get, { params: { id: own.id } })).runtime?.variables).toEqual(variables)
    const { items: runs } = await owner.call(routes.runs.list, { query: { limit: 1 } })
    expect(runs.map(({ id: listed, runtime }) => [listed, runtime?.variables])).toEqual([[own.id, undefined]])

    const first = await run({ ...inShell, workspaceId: id })
    expect(textOf(first.output as { text?: string }[])).toBe('north/low\n')
    // nothing of a value is kept with the run: it finds what is set when it is run again
    await owner.call(removeOfWorkspace, { params: { id, variable: 'LEVEL' } })
    await set(id, 'REGION', 'south')
    const again = await owner.call(routes.executions.retry, { params: { id: first.id }, body: {} })
    const second = () => owner.call(routes.runs.get, { params: { id: again.id } })
    await expect.poll(async () => (await second()).status, { timeout: 20_000 }).toBe('succeeded')
    expect(textOf((await second()).output as { text?: string }[])).toBe('south/\n')
    expect((await run(inShell)).runtime?.variables).toBeUndefined()
    expect((await owner.call(listOfWorkspace, { params: { id } })).items).toMatchObject([
      { name: 'REGION', value: 'south', updatedBy: 'Olga Owner' },
    ])
  })

  test('are in the sandboxes that were made with it, and a copy of one finds those of now', async () => {
    const { id } = await owner.call(route.create, { body: { name: 'Sandboxed settings' } })
    await set(id, 'REGION', 'north')
    const code = `import os, coherex\n[os.environ.get('REGION'), coherex.VARS.get('REGION')]`
    const cell = async (sandboxId: string) => (await run({ language: 'python', code, sandboxId })).result
    const env = { LEVEL: 'own' }
    const { id: sandboxId } = await owner.call(routes.sandboxes.create, { body: { workspaceId: id, env } })
    expect(await cell(sandboxId)).toEqual(['north', 'north'])
    await set(id, 'REGION', 'south')
    // a process keeps the environment it was started with
    expect(await cell(sandboxId)).toEqual(['north', 'south'])
    const fork = await owner.call(routes.sandboxes.fork, { params: { id: sandboxId }, body: {} })
    const inFork = await run({ language: 'python', code, sandboxId: fork.id })
    expect(inFork.result).toEqual(['south', 'south'])
    expect(inFork.runtime?.variables).toEqual([
      { name: 'LEVEL', from: 'sandbox' },
      { name: 'REGION', from: 'workspace' },
    ])
  })

  test('have a name and a value that an environment can hold', async () => {
    const { id } = await owner.call(route.create, { body: { name: 'Odd settings' } })
    for (const variable of ['1ST', 'A-B', 'A=B', 'ü', 'x'.repeat(129)]) {
      await expect(set(id, variable, 'x')).rejects.toMatchObject({ code: 'invalid_input' })
    }
    for (const value of ['a\0b', 'x'.repeat(32_769)]) {
      await expect(set(id, 'NAME', value)).rejects.toMatchObject({ code: 'invalid_input' })
    }
    const value = 'a "b"\n$HOME ☃ '
    await set(id, 'NAME', value)
    const code = `export default (env) => env.VARS.NAME`
    expect((await run({ language: 'javascript', code, workspaceId: id })).result).toBe(value)
  })
})
