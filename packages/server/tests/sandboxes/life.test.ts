import { randomBytes, createHash } from 'node:crypto'
import { routes, type Run } from '@coherex/contract'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

const create = (body: object = {}) => owner.call(routes.sandboxes.create, { body })
const look = (id: string) => owner.call(routes.sandboxes.get, { params: { id } })
const runPython = (sandboxId: string, code: string): Promise<Run> =>
  owner.call(routes.runs.create, { body: { sandboxId, language: 'python', code } })

test('a sandbox nobody uses sleeps, and comes back with its files and without its variables', async () => {
  const { id } = await create({ idleTimeoutMs: 1000 })
  await runPython(id, 'x = 41\nopen("kept.txt", "w").write("kept")\nimport os; os.makedirs("a/b")')
  await expect.poll(async () => (await look(id)).status, { timeout: 20_000 }).toBe('sleeping')
  expect(await look(id)).toMatchObject({
    reason: 'nobody used it for 1 s',
    expiresAt: null,
    sessions: [],
    memory: null,
  })

  // looking does not wake it
  const { items } = await owner.call(routes.sandboxes.listFiles, { params: { id }, query: { recursive: 'true' } })
  expect(items.map(({ path, type }) => `${path} ${type}`)).toEqual(['a directory', 'a/b directory', 'kept.txt file'])
  const file = await owner.fetch(`/api/v1/sandboxes/${id}/files/kept.txt`)
  expect(await file.text()).toBe('kept')
  expect((await owner.call(routes.sandboxes.variables, { params: { id } })).items).toEqual([])
  expect((await look(id)).status).toBe('sleeping')

  await owner.call(routes.sandboxes.extend, { params: { id }, body: { idleTimeoutMs: 60_000 } })
  expect(await look(id)).toMatchObject({ status: 'running', reason: null })
  expect((await look(id)).notice).toContain('its files are back; variables are gone (python after 1 cell)')
  expect(await runPython(id, 'open("kept.txt").read()')).toMatchObject({ result: 'kept' })
  expect(await runPython(id, 'x')).toMatchObject({ status: 'failed', error: { kind: 'runtime' } })
  await owner.call(routes.sandboxes.rerun, { params: { id }, body: {} })
  expect((await runPython(id, 'x')).result).toBe(41)
})

test('a woken sandbox has its executables, links and file times', async () => {
  const { id } = await create({ idleTimeoutMs: 1000 })
  const bash = async (code: string) => {
    const { output } = await owner.call(routes.runs.create, { body: { sandboxId: id, language: 'bash', code } })
    return output.map((line) => ('text' in line ? line.text : '')).join('')
  }
  await bash(
    `mkdir -p bin etc && printf '#!/bin/sh\necho ran' > bin/tool && chmod 4755 bin/tool && ln -s bin/tool tool && ln -s /etc/passwd etc/host
     echo old > old.txt && touch -d '2001-02-03 04:05:06' old.txt bin`,
  )
  await expect.poll(async () => (await look(id)).status, { timeout: 20_000 }).toBe('sleeping')
  expect((await look(id)).saved).toMatchObject({ files: 2, leftOut: 0 })
  const { items } = await owner.call(routes.sandboxes.listFiles, { params: { id }, query: { recursive: 'true' } })
  expect(items.filter(({ type }) => type === 'link').map(({ path, linkTarget }) => [path, linkTarget])).toEqual([
    ['etc/host', '/etc/passwd'],
    ['tool', 'bin/tool'],
  ])
  // a saved link leads nowhere on the host
  expect((await owner.fetch(`/api/v1/sandboxes/${id}/files/etc/host`)).status).toBe(404)

  await owner.call(routes.sandboxes.extend, { params: { id }, body: { idleTimeoutMs: 60_000 } })
  expect(await bash('./tool; readlink tool etc/host; stat -c "%a %Y" bin/tool | cut -d" " -f1')).toBe(
    'ran\nbin/tool\n/etc/passwd\n755\n',
  )
  expect(await bash('date -u -r old.txt +%FT%T; date -u -r bin +%FT%T')).toBe(
    '2001-02-03T04:05:06\n2001-02-03T04:05:06\n',
  )
})

test('one whose files do not fit a second time comes back with those that do, and says so', async () => {
  const { id } = await create({ idleTimeoutMs: 1000, limits: { diskMb: 16 } })
  const made = `import os
open("kept.txt", "w").write("kept")
open("a.bin", "wb").write(os.urandom(6_000_000))
for name in "bcd": os.link("a.bin", name + ".bin")`
  expect((await runPython(id, made)).status).toBe('succeeded')
  await expect.poll(async () => (await look(id)).status, { timeout: 20_000 }).toBe('sleeping')
  expect((await look(id)).saved).toMatchObject({ files: 5, leftOut: 0 })
  await owner.call(routes.sandboxes.extend, { params: { id }, body: { idleTimeoutMs: 60_000 } })
  expect((await look(id)).notice).toMatch(/; [23] files could not be put back$/)
  expect(await runPython(id, 'open("kept.txt").read()')).toMatchObject({ result: 'kept' })
  // those are not forgotten either: there is room for them once others are gone
  expect((await look(id)).saved.files).toBe(5)
})

test('a sandbox killed for its memory says so, and its next cell starts a fresh session', async () => {
  const { id } = await create({ limits: { memoryMb: 128, diskMb: 16 } })
  await owner.call(routes.sandboxes.writeFile, { params: { id, path: 'kept.txt' }, body: 'kept' })
  const run = await runPython(id, 'x = bytearray(600_000_000)')
  expect(run).toMatchObject({ status: 'failed', error: { kind: 'memory' } })
  expect(await runPython(id, 'open("kept.txt").read()')).toMatchObject({ result: 'kept' })
})

test('a database plans with the memory and the disk of its sandbox', async () => {
  const settings = async (limits: object) => {
    const { id } = await create({ limits })
    const code = "select current_setting('memory_limit') as memory, current_setting('max_temp_directory_size') as disk"
    const { result } = await owner.call(routes.runs.create, { body: { sandboxId: id, language: 'sql', code } })
    await owner.call(routes.sandboxes.remove, { params: { id } })
    return result
  }
  expect(await settings({ memoryMb: 512, diskMb: 128 })).toEqual([{ memory: '244.1 MiB', disk: '61.0 MiB' }])
  expect(await settings({ memoryMb: 1024, diskMb: 1024 })).toEqual([{ memory: '488.2 MiB', disk: '488.2 MiB' }])
})

test('deleting ends it, keeps the reason and deletes the files', async () => {
  const { id } = await create({ name: 'short' })
  await owner.call(routes.sandboxes.writeFile, { params: { id, path: 'a.txt' }, body: 'a' })
  await owner.call(routes.sandboxes.remove, { params: { id } })
  expect(await look(id)).toMatchObject({ status: 'ended', reason: 'deleted by Olga Owner', saved: { files: 0 } })
  const listed = async (query: object) =>
    (await owner.call(routes.sandboxes.list, { query })).items.some((one) => one.id === id)
  expect([await listed({}), await listed({ status: 'ended' })]).toEqual([false, true])
  await expect(runPython(id, '1')).rejects.toMatchObject({ code: 'conflict' })
  await expect(owner.call(routes.sandboxes.remove, { params: { id } })).rejects.toMatchObject({ code: 'conflict' })
})

test('every request for a part of a deleted sandbox is a conflict that says who deleted it', async () => {
  const { id } = await create({ name: 'gone' })
  await owner.call(routes.sandboxes.remove, { params: { id } })
  const { id: workspaceId } = await owner.call(routes.workspaces.create, { body: { name: 'stays' } })
  const bodies = new Map<object, object>([
    [routes.sandboxes.change, { name: 'b' }],
    [routes.sandboxes.changeCell, { source: 'b' }],
    [routes.sandboxes.packages, { language: 'python', requirements: ['b'] }],
    [routes.sandboxes.makeFolder, { path: 'b' }],
    [routes.sandboxes.move, { from: 'a', to: 'b' }],
    [routes.sandboxes.copyFromWorkspace, { workspaceId }],
    [routes.sandboxes.copyToWorkspace, { workspaceId }],
    [routes.sandboxes.complete, { code: 'a', cursor: 1 }],
    [routes.sandboxes.startProcess, { command: 'true' }],
    [routes.sandboxes.writeProcess, { text: 'a' }],
  ])
  const cellId = `cel_${'0'.repeat(26)}`
  const values: Record<string, string> = { id, cellId, path: 'a.txt', name: 'a', pid: '1', port: '8000' }
  const parts = Object.values(routes.sandboxes).filter(
    (route) => route.path.startsWith('/api/v1/sandboxes/{id}') && route !== routes.sandboxes.get,
  )
  expect(parts.length).toBeGreaterThan(20)
  for (const route of parts) {
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    const response = await owner.fetch(path, {
      method: route.method.toUpperCase(),
      headers: { 'content-type': 'application/json' },
      ...('body' in route && { body: JSON.stringify(bodies.get(route) ?? {}) }),
    })
    expect([route.method, route.path, response.status]).toEqual([route.method, route.path, 409])
    expect(await response.text()).toContain('it has ended, deleted by Olga Owner')
  }
})

test('quotas bound how many are awake, what memory they have and what is stored', async () => {
  const stranger = await server.invite(owner, 'editor')
  const team = await stranger.call(routes.teams.create, { body: { name: 'Small' } })
  await stranger.call(routes.signIn.switchTeam, { body: { teamId: team.id } })
  const superuser = await server.database.superuser()
  const setQuotas = (quotas: object) =>
    superuser.query('UPDATE coherex.team SET quotas = $1 WHERE team_id = $2', [quotas, team.id])
  await setQuotas({ sandboxesAtOnce: 1, sandboxMemoryMb: 512, storageMb: 1 })
  const make = (limits: object) => stranger.call(routes.sandboxes.create, { body: { limits } })
  await expect(make({ memoryMb: 1024 })).rejects.toMatchObject({ code: 'quota_exceeded' })
  const first = await make({ memoryMb: 512 })
  await expect(make({ memoryMb: 64 })).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: expect.stringContaining('1 sandboxes awake at once') as string,
  })
  const { used } = await stranger.call(routes.teams.quotas, {})
  expect(used).toMatchObject({ sandboxesAtOnce: 1, sandboxMemoryMb: 512 })
  const upload = stranger.call(routes.sandboxes.writeFile, {
    params: { id: first.id, path: 'big.bin' },
    body: randomBytes(2_000_000),
  })
  await expect(upload).rejects.toMatchObject({ code: 'quota_exceeded' })
  // what a cell writes beyond that is there, is not kept, and is told
  await stranger.call(routes.runs.create, {
    body: {
      sandboxId: first.id,
      language: 'bash',
      code: 'head -c 3000000 /dev/zero > big.bin; echo small > small.txt',
    },
  })
  expect((await stranger.call(routes.sandboxes.get, { params: { id: first.id } })).saved).toMatchObject({
    files: 1,
    leftOut: 1,
  })
  await superuser.end()
})

describe('files', () => {
  test('large ones stream in and out, in ranges too', async () => {
    const { id } = await create()
    const bytes = randomBytes(24 * 1024 * 1024)
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 65_536) controller.enqueue(bytes.subarray(at, at + 65_536))
        controller.close()
      },
    })
    const path = `/api/v1/sandboxes/${id}/files/${encodeURIComponent('large files/one.bin')}`
    const sent = await owner.fetch(path, { method: 'PUT', body: stream, duplex: 'half' } as RequestInit)
    expect(await sent.json()).toMatchObject({ path: 'large files/one.bin', size: bytes.length })
    const inside = await owner.call(routes.runs.create, {
      body: { sandboxId: id, language: 'bash', code: 'sha256sum "large files/one.bin"' },
    })
    expect(JSON.stringify(inside.output)).toContain(createHash('sha256').update(bytes).digest('hex'))
    const whole = await owner.fetch(path)
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    expect(whole.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''one.bin")
    const part = await owner.fetch(path, { headers: { range: 'bytes=100000-100009' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100000-100009/${bytes.length}`])
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100_000, 100_010))
    expect((await owner.fetch(path, { headers: { range: 'bytes=99999999-' } })).status).toBe(416)
  })

  test('an upload that does not fit on the sandbox disk is refused with the reason', async () => {
    const { id } = await create({ limits: { diskMb: 16 } })
    const body = Buffer.alloc(17 * 1024 * 1024)
    await expect(
      owner.call(routes.sandboxes.writeFile, { params: { id, path: 'big.bin' }, body }),
    ).rejects.toMatchObject({ code: 'too_large' })
  })

  test('are moved, deleted, watched and zipped; links are named and never followed', async () => {
    const { id } = await create()
    const gone = new AbortController()
    const changes = await owner.fetch(`/api/v1/sandboxes/${id}/changes`, { signal: gone.signal })
    const heard = changes.body?.getReader()
    await heard?.read() // it is watched from here on

    await owner.call(routes.sandboxes.makeFolder, { params: { id }, body: { path: 'docs/old' } })
    await owner.call(routes.sandboxes.writeFile, { params: { id, path: 'docs/a.txt' }, body: 'text of a' })
    await owner.call(routes.sandboxes.move, { params: { id }, body: { from: 'docs/a.txt', to: 'docs/b.txt' } })
    await owner.call(routes.sandboxes.removeFile, { params: { id, path: 'docs/old' } })
    await owner.call(routes.runs.create, {
      body: { sandboxId: id, language: 'bash', code: 'ln -s /etc/passwd docs/link; ln -s / docs/root' },
    })
    let text = ''
    while (!text.includes('docs/b.txt')) text += Buffer.from((await heard?.read())?.value ?? []).toString()
    expect(text).toContain('event: file-change')
    gone.abort()

    const { items } = await owner.call(routes.sandboxes.listFiles, { params: { id }, query: { path: 'docs' } })
    expect(items.map(({ path, type, linkTarget }) => [path, type, linkTarget])).toEqual([
      ['docs/b.txt', 'file', undefined],
      ['docs/link', 'link', '/etc/passwd'],
      ['docs/root', 'link', '/'],
    ])
    for (const path of ['docs/link', 'docs/root/etc/passwd']) {
      const refused = await owner.fetch(`/api/v1/sandboxes/${id}/files/${encodeURIComponent(path)}`)
      expect([path, refused.status >= 400 && refused.status < 500]).toEqual([path, true])
    }
    const zip = await owner.fetch(`/api/v1/sandboxes/${id}/zip?path=docs`)
    const unzipped = unzipSync(new Uint8Array(await zip.arrayBuffer()))
    expect(Object.entries(unzipped).map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['b.txt', 'text of a'],
    ])
  })

  test('names that climb, and folders that are none, are refused', async () => {
    const { id } = await create()
    for (const path of ['../x', '/etc/x', 'a/../../x', 'a//b']) {
      const answer = await owner.fetch(`/api/v1/sandboxes/${id}/files/${encodeURIComponent(path)}`, {
        method: 'PUT',
        body: 'x',
      })
      expect([path, answer.status]).toEqual([path, 400])
    }
    await owner.call(routes.sandboxes.writeFile, { params: { id, path: 'file' }, body: 'x' })
    await expect(
      owner.call(routes.sandboxes.writeFile, { params: { id, path: 'file/below' }, body: 'x' }),
    ).rejects.toMatchObject({ code: 'conflict' })
    await expect(
      owner.call(routes.sandboxes.move, { params: { id }, body: { from: 'nothing', to: 'x' } }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('files go from a workspace into a sandbox and back as one version', async () => {
  const workspace = await owner.call(routes.workspaces.create, { body: { name: 'reports' } })
  const put = (path: string, body: string) =>
    owner.call(routes.workspaces.writeFile, { params: { id: workspace.id, path }, body })
  await put('in/numbers.txt', '1\n2\n')
  const { id, saved } = await create({ workspaceId: workspace.id })
  expect(saved.files).toBe(1)
  await runPython(id, 'open("in/sum.txt", "w").write(str(sum(map(int, open("in/numbers.txt")))))')
  const copied = await owner.call(routes.sandboxes.copyToWorkspace, {
    params: { id },
    body: { workspaceId: workspace.id, path: 'in' },
  })
  expect(copied.files).toBe(2)
  const sum = await owner.fetch(`/api/v1/workspaces/${workspace.id}/files/sum.txt`)
  expect(await sum.text()).toBe('3')
  // what a shell leaves behind is no work of anybody
  await runPython(id, 'open(".bash_history", "w").write("ls")')
  const all = await owner.call(routes.sandboxes.copyToWorkspace, {
    params: { id },
    body: { workspaceId: workspace.id },
  })
  expect(all.files).toBe(2)
  const bring = (since?: number) =>
    owner.call(routes.sandboxes.copyFromWorkspace, {
      params: { id },
      body: { workspaceId: workspace.id, ...(since === undefined ? {} : { since }) },
    })
  const { version } = await bring()
  // with `since`, a file that a cell has changed stays as it is unless the workspace changed it too
  await runPython(id, 'open("in/numbers.txt", "w").write("9")')
  await put('main.py', 'print(1)')
  await owner.call(routes.workspaces.removeFile, { params: { id: workspace.id, path: 'in/sum.txt' } })
  expect(await bring(version)).toEqual({ files: 1, version: version + 2 })
  const left = await runPython(
    id,
    'import os; [open("in/numbers.txt").read(), os.listdir("in"), os.path.exists("main.py")]',
  )
  expect(left.result).toEqual(['9', ['numbers.txt'], true])
  expect(await bring(version + 2)).toEqual({ files: 0, version: version + 2 })
  const missing = { workspaceId: 'wsp_00000000000000000000000000' }
  await expect(create(missing)).rejects.toMatchObject({ code: 'not_found' })
})

test('names that could follow are those of the session, while it is idle', async () => {
  const { id } = await create()
  const complete = (code: string, cursor = code.length) =>
    owner.call(routes.sandboxes.complete, { params: { id }, body: { code, cursor } })
  expect(await complete('so')).toEqual({ prefix: '', items: [] })
  await runPython(id, 'something = {"height": 1}')
  expect(await complete('print(some) # 🌍', 10)).toEqual({
    prefix: 'some',
    items: [{ name: 'something', kind: 'variable' }],
  })
  expect(await complete('🌍 = something["he')).toEqual({ prefix: 'he', items: [{ name: 'height', kind: 'field' }] })
  await owner.call(routes.runs.create, {
    query: { wait: 'false' },
    body: { sandboxId: id, language: 'python', code: 'import time; time.sleep(60)' },
  })
  await expect.poll(async () => (await look(id)).sessions[0]?.status).toBe('running')
  expect(await complete('some')).toEqual({ prefix: '', items: [] })
  await owner.call(routes.sandboxes.interrupt, { params: { id }, body: {} })
})

test('commands run in the background, are written to, watched and killed', async () => {
  const { id } = await create()
  const cat = await owner.call(routes.sandboxes.startProcess, {
    params: { id },
    body: {
      command: 'while read line; do echo "$GREETING $line"; done; echo end > end.txt',
      env: { GREETING: 'hello' },
    },
  })
  const output = await owner.fetch(`/api/v1/sandboxes/${id}/processes/${cat.pid}/output`)
  await owner.call(routes.sandboxes.writeProcess, {
    params: { id, pid: cat.pid },
    body: { text: 'world\n', end: true },
  })
  const text = await output.text()
  expect(text).toContain('hello world')
  expect(text).toMatch(/event: process-end\ndata: {"code":0,"signal":null}/)
  // what it wrote is saved when it has ended
  await expect.poll(async () => (await look(id)).saved.files).toBe(1)

  const sleep = await owner.call(routes.sandboxes.startProcess, { params: { id }, body: { command: 'sleep 600' } })
  await owner.call(routes.sandboxes.killProcess, { params: { id, pid: sleep.pid }, query: { signal: 'SIGKILL' } })
  const ofSleep = { params: { id, pid: sleep.pid } }
  await expect.poll(async () => (await owner.call(routes.sandboxes.getProcess, ofSleep)).exit).toBeDefined()
  const { items } = await owner.call(routes.sandboxes.listProcesses, { params: { id } })
  expect(items.map(({ command }) => command.slice(0, 5))).toEqual(['while', 'sleep'])
})

test('a cell request names the field that a cell cannot have', async () => {
  const { id } = await create()
  const cell = { sandboxId: id, language: 'python' as const, code: '1' }
  for (const [field, more] of Object.entries({
    network: { network: { allow: ['https://example.com/'] } },
    env: { env: { A: '1' } },
    keep: { keep: ['*'] },
    'limits.memoryMb': { limits: { memoryMb: 64 } },
  })) {
    await expect(owner.call(routes.runs.create, { body: { ...cell, ...more } })).rejects.toMatchObject({
      code: 'invalid_input',
      details: [{ field }],
    })
  }
  await expect(create({ network: { allow: ['ftp://x'] } })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(create({ network: { allow: ['https://x.test/v1/*'] } })).rejects.toMatchObject({
    code: 'invalid_input',
    details: [{ field: 'network.allow.0', message: expect.stringMatching(/^There are no wildcards: /) }],
  })
  await expect(create({ template: 'no-such' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(
    owner.call(routes.runs.create, { body: { ...cell, sandboxId: 'sbx_00000000000000000000000000' } }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('a cell is run again in its sandbox, which has gone on since', async () => {
  const { id } = await create()
  await runPython(id, 'n = 1')
  const cell = await runPython(id, 'n += 1; n')
  expect(cell.result).toBe(2)
  const again = await owner.call(routes.executions.retry, { params: { id: cell.id }, body: {} })
  expect(again).toMatchObject({ retryOf: cell.id, sandboxId: id })
  const ended = () => owner.call(routes.runs.get, { params: { id: again.id } })
  await expect.poll(ended).toMatchObject({ status: 'succeeded', result: 3 })
})

test('a small program that outgrows the isolate moves to a process sandbox when asked, and the receipt tells', async () => {
  const code =
    'const held = []\nfor (let n = 0; n < 40; n++) held.push(new Uint8Array(8_000_000).fill(1))\nexport default () => held.length'
  const body = { language: 'javascript' as const, code, limits: { memoryMb: 128 } }
  const small = await owner.call(routes.runs.create, { body })
  expect(small).toMatchObject({ status: 'failed', error: { kind: 'memory' }, runtime: { name: 'isolate' } })
  const moved = await owner.call(routes.runs.escalate, { params: { id: small.id }, body: {} })
  expect(moved).toMatchObject({
    status: 'succeeded',
    result: 40,
    runtime: {
      name: 'process',
      reason: expect.stringContaining('moved here from the isolate: it ran out of memory') as string,
    },
  })
  const begun = await owner.call(routes.runs.escalate, {
    params: { id: small.id },
    query: { wait: 'false' },
    body: {},
  })
  expect(begun.endedAt).toBeNull()
  const byItself = await owner.call(routes.runs.create, { body: { ...body, escalate: true } })
  expect(byItself).toMatchObject({ status: 'succeeded', result: 40, runtime: { name: 'process' } })
  await expect(owner.call(routes.runs.escalate, { params: { id: moved.id }, body: {} })).rejects.toMatchObject({
    code: 'conflict',
  })
})

test('a program that asks for a module of Node by a name it made moves as well', async () => {
  const code = "const name = ['node', 'os'].join(':')\nexport default async () => typeof (await import(name)).cpus"
  const moved = await owner.call(routes.runs.create, { body: { language: 'javascript', code, escalate: true } })
  expect(moved).toMatchObject({
    status: 'succeeded',
    result: 'function',
    runtime: { name: 'process', reason: 'moved here from the isolate: it needs a module that the isolate lacks' },
  })
})
