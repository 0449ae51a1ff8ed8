import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { routes, type LanguageAnswers, type LanguageEvent, type LanguageRequest } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { findUv } from '../src/runtimes/index.ts'
import { createWheelIndex, type WheelIndex } from './harness/outside/wheel-index.ts'
import { startTestServer, type TestPerson, type TestServer } from './harness/test-server.ts'

let server: TestServer
let index: WheelIndex
let owner: TestPerson
let id: string
const story = { timeout: 120_000 }
const patience = { timeout: 60_000 }

beforeAll(async () => {
  index = await createWheelIndex()
  index.offer({ name: 'greeter', version: '1.0', files: { 'greeter.py': 'def greet(name: str) -> int: return 1\n' } })
  server = await startTestServer({ COHEREX_PYPI_INDEX: index.url })
  owner = await server.owner()
  ;({ id } = await owner.call(routes.workspaces.create, { body: { name: 'Typed' } }))
  await write('helper.py', 'def greet(name: str) -> str:\n    """Says hello."""\n    return "hello " + name\n')
})
afterAll(async () => {
  await server.stop()
  await index.close()
})

const write = (path: string, body: string) => owner.call(routes.workspaces.writeFile, { params: { id, path }, body })
const address = (of = id) => `${server.url.replace('http', 'ws')}/api/v1/workspaces/${of}/languages/python`

async function join(person: TestPerson) {
  const socket = new WebSocket(address(), { headers: person.socketHeaders() })
  const heard: LanguageEvent[] = []
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as LanguageEvent))
  await once(socket, 'open')
  let last = 0
  const say = (request: LanguageRequest) => socket.send(JSON.stringify(request))
  return {
    ...{ socket, heard, closed, say },
    state: () => heard.findLast((one) => one.type === 'state')?.state,
    problems: (path: string) => heard.findLast((one) => one.type === 'problems' && one.path === path),
    async ask<T extends keyof LanguageAnswers>(about: T, request: object): Promise<LanguageAnswers[T]> {
      const asked = ++last
      say({ type: 'ask', id: asked, about, ...request } as LanguageRequest)
      return answer(asked)
    },
    async describe(of: number, index: number): Promise<LanguageAnswers['describe']> {
      const asked = ++last
      say({ type: 'describe', id: asked, of, index })
      return answer(asked)
    },
    get last() {
      return last
    },
  }
  async function answer<T>(asked: number): Promise<T> {
    const find = () => heard.find((one) => (one.type === 'answer' || one.type === 'failure') && one.id === asked)
    await expect.poll(find, patience).toBeDefined()
    const found = find()
    if (found?.type !== 'answer') throw new Error(JSON.stringify(found))
    return found.value as T
  }
}

async function refusal(person: TestPerson | undefined, of = id): Promise<number> {
  const socket = new WebSocket(address(of), { headers: person?.socketHeaders() ?? {} })
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
  socket.on('error', () => undefined)
  socket.terminate()
  return response.statusCode
}

test(
  'a viewer reads with completion, hover, signatures, definitions and problems that know the other files',
  story,
  async () => {
    await write('main.py', 'import helper\nimport coherex\nx: int = helper.greet("a")\nhelper.greet(\nhelper.gr')
    const viewer = await server.invite(owner, 'viewer')
    const before = await memoryMb()
    const editor = await join(viewer)
    expect(editor.state()).toBe('asleep')
    editor.say({ type: 'open', path: 'main.py' })
    await expect
      .poll(() => editor.problems('main.py'), patience)
      .toMatchObject({
        problems: expect.arrayContaining([
          expect.objectContaining({
            severity: 'error',
            code: 'reportAssignmentType',
            range: { start: { line: 3, column: 10 }, end: { line: 3, column: 27 } },
          }),
        ]),
      })
    expect(editor.state()).toBe('ready')
    expect(await memoryMb()).toBe(before + 768)

    const at = { path: 'main.py' }
    const completion = await editor.ask('completion', { ...at, line: 5, column: 10 })
    expect(completion?.items.map(({ label, kind }) => ({ label, kind }))).toEqual([
      { label: 'greet', kind: 'function' },
    ])
    expect(await editor.describe(editor.last, 0)).toMatchObject({ markdown: expect.stringContaining('Says hello.') })
    expect(await editor.ask('hover', { ...at, line: 3, column: 19 })).toMatchObject({
      markdown: expect.stringContaining('def greet(name: str) -> str'),
    })
    expect(await editor.ask('signature', { ...at, line: 4, column: 14 })).toMatchObject({
      signatures: [{ label: '(name: str) -> str', parameters: [{ label: 'name: str' }] }],
    })
    expect(await editor.ask('definition', { ...at, line: 3, column: 19 })).toEqual([
      { path: 'helper.py', range: { start: { line: 1, column: 5 }, end: { line: 1, column: 10 } } },
    ])
    // of what is not the workspace's nothing is told
    expect(await editor.ask('definition', { ...at, line: 3, column: 5 })).toBeNull()
    expect(await editor.ask('hover', { path: 'helper.py', line: 1, column: 5 })).toBeNull()

    // a change of a file that is not open, and of the one that is
    await write('helper.py', 'def greet(name: str) -> int:\n    return len(name)\n')
    await expect.poll(() => JSON.stringify(editor.problems('main.py')), patience).not.toContain('reportAssignmentType')
    await write('main.py', 'import helper\nhelper.missing\n')
    await expect.poll(() => JSON.stringify(editor.problems('main.py')), patience).toContain('missing')
    editor.socket.close()
  },
)

test('a language server that is killed starts again, and nobody loses the socket', story, async () => {
  await write('other.py', 'value: int = "text"\n')
  const editor = await join(owner)
  editor.say({ type: 'open', path: 'other.py' })
  await expect.poll(() => editor.problems('other.py'), patience).toBeDefined()
  // that of the workspace of the test before is still there for a while, and it is the same
  const running = ownLanguageServers()
  expect(running).toHaveLength(1)
  editor.heard.length = 0
  for (const pid of running) process.kill(pid, 'SIGKILL')
  await expect
    .poll(() => editor.heard.some((one) => one.type === 'state' && one.state === 'failed'), patience)
    .toBe(true)
  await expect.poll(() => editor.problems('other.py'), patience).toMatchObject({ problems: [{ severity: 'error' }] })
  expect(await editor.ask('hover', { path: 'other.py', line: 1, column: 1 })).toMatchObject({
    markdown: expect.stringContaining('value: int'),
  })
  editor.socket.close()
})

test('a package that is added while the language server is awake becomes known', story, async (context) => {
  const uv = findUv()
  if (!uv || !existsSync(uv)) return context.skip('needs uv, which comes where a Python package index can be reached')
  await write('uses.py', 'import greeter\nx: str = greeter.greet("a")\n')
  const editor = await join(owner)
  editor.say({ type: 'open', path: 'uses.py' })
  const codes = () => JSON.stringify(editor.problems('uses.py') ?? {})
  await expect.poll(codes, patience).toContain('reportMissingImports')
  await write('requirements.txt', 'greeter\n')
  await expect.poll(codes, patience).toContain('reportAssignmentType')
  expect(codes()).not.toContain('reportMissingImports')
  editor.socket.close()
})

test('the socket refuses strangers, other teams’ workspaces and what it does not understand', story, async () => {
  expect(await refusal(undefined)).toBe(401)
  expect(await refusal(owner, 'wsp_00000000000000000000')).toBe(404)
  const editor = await join(owner)
  editor.socket.send(
    JSON.stringify({ type: 'ask', id: 1, about: 'workspace/executeCommand', path: 'main.py', line: 1, column: 1 }),
  )
  expect(await editor.closed).toBe(1008)
  const escaping = await join(owner)
  escaping.socket.send(JSON.stringify({ type: 'open', path: '../../etc/passwd' }))
  expect(await escaping.closed).toBe(1008)
  const loud = await join(owner)
  loud.socket.send(JSON.stringify({ type: 'open', path: 'a'.repeat(20_000) }))
  expect(await loud.closed).toBe(1009)
})

test('a team whose sandboxes have all its memory is told so, and the editor goes on without', story, async () => {
  const { id: second } = await owner.call(routes.workspaces.create, { body: { name: 'No room' } })
  await owner.call(routes.workspaces.writeFile, { params: { id: second, path: 'a.py' }, body: 'x = 1\n' })
  const quotas = await owner.call(routes.teams.setQuotas, { body: { sandboxMemoryMb: 100 } })
  expect(quotas).toBeDefined()
  const socket = new WebSocket(address(second), { headers: owner.socketHeaders() })
  const heard: LanguageEvent[] = []
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as LanguageEvent))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'open', path: 'a.py' }))
  await expect
    .poll(() => heard.findLast((one) => one.type === 'state'), patience)
    .toMatchObject({ state: 'failed', reason: expect.stringContaining('MB of memory for sandboxes') })
  socket.close()
})

async function memoryMb(): Promise<number> {
  const { used } = await owner.call(routes.teams.quotas, {})
  return used.sandboxMemoryMb ?? 0
}

/** The pids of language servers that come from this process. */
function ownLanguageServers(): number[] {
  const read = (pid: number, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8')
    } catch {
      return '' // it has ended
    }
  }
  const isOurs = (pid: number): boolean => {
    const parent = Number(read(pid, 'stat').split(') ').at(-1)?.split(' ')[1] ?? 0)
    return parent === process.pid || (parent > 1 && isOurs(parent))
  }
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && read(pid, 'cmdline').includes('/opt/basedpyright/langserver') && isOurs(pid))
}
