import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readRunEvents, routes, type Run, type RunRequest } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson
/** A page that comes when it is let go. */
let page: { url: string; letGo(): void; close(): Promise<unknown> }

beforeAll(async () => {
  page = await openPage()
  server = await startTestServer({ COHEREX_WARM: 'true', COHEREX_ALLOW_PRIVATE: new URL(page.url).host })
  owner = await server.owner()
})
afterAll(async () => {
  await server.stop()
  await page.close()
})

async function openPage() {
  const gate = Promise.withResolvers<void>()
  const pages = createServer((_, response) => void gate.promise.then(() => response.end('the page')))
  await once(pages.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`,
    letGo: gate.resolve,
    close() {
      pages.closeAllConnections()
      return new Promise((resolve) => pages.close(resolve))
    },
  }
}

const run = (body: RunRequest) => owner.call(routes.runs.create, { body })

describe('a run over HTTP', () => {
  test('answers result, output in order, receipt and durations, and is recorded', async () => {
    const done = await run({
      language: 'javascript',
      code: 'console.log("one"); console.error("two"); ({ sum: 1 + 1 })',
    })
    expect(done).toMatchObject({
      status: 'succeeded',
      result: { sum: 2 },
      runtime: { name: 'isolate', passedOver: [] },
      truncated: false,
      createdBy: { name: 'Olga Owner' },
    })
    expect(done.output.map((line) => [line.stream, 'text' in line && line.text.trim()])).toEqual([
      ['log', 'one'],
      ['error', 'two'],
    ])
    expect(String(done.durationMs)).toMatch(/^\d+(\.\d)?$/)
    expect(await owner.call(routes.runs.get, { params: { id: done.id } })).toEqual(done)
  })

  test('answers what Python writes for its last value beside the JSON of it', async () => {
    const done = await run({ language: 'python', code: '[1.0, "a"]' })
    expect(done).toMatchObject({ result: [1, 'a'], resultText: "[1.0, 'a']" })
    expect(await owner.call(routes.runs.get, { params: { id: done.id } })).toEqual(done)
    expect(await run({ language: 'javascript', code: '1.0' })).not.toHaveProperty('resultText')
  })

  test('a denied system call that the code shrugs off is a sign of the run, and in the audit log by its name', async () => {
    const code = 'import subprocess\nsubprocess.run(["unshare", "-r", "true"], stderr=subprocess.DEVNULL).returncode'
    const done = await run({ language: 'python', code })
    const signs = [{ kind: 'denied-syscall', detail: 'refused: unshare' }]
    expect(done).toMatchObject({ status: 'succeeded', result: 1, signs })
    const { items } = await owner.call(routes.audit.list, { query: { limit: 50 } })
    expect(items.find(({ action, target }) => action === 'run.alert' && target?.id === done.id)).toMatchObject({
      details: { signs },
    })
  })

  test('runs each language', async () => {
    const python = await run({ language: 'python', code: 'print("hi")\n[n * n for n in range(4)]' })
    expect(python).toMatchObject({ status: 'succeeded', result: [0, 1, 4, 9], runtime: { name: 'process' } })
    const bash = await run({ language: 'bash', code: 'for n in 1 2 3; do echo "line $n"; done; exit 3' })
    expect(bash.output.map((line) => ('text' in line ? line.text : '')).join('')).toBe('line 1\nline 2\nline 3\n')
    expect(bash).toMatchObject({ status: 'failed', error: { kind: 'runtime' } })
    const node = await run({ language: 'node', code: 'import os from "node:os"; console.log(typeof os.cpus())' })
    expect(node, JSON.stringify(node)).toMatchObject({ status: 'succeeded', runtime: { name: 'process' } })
    const typescript = await run({
      language: 'typescript',
      code: 'const n: number = 4\nexport default async (env: unknown, input: number) => n + input',
      input: 5,
    })
    expect(typescript).toMatchObject({ status: 'succeeded', result: 9, runtime: { name: 'isolate' } })
  })

  test('moves JavaScript that needs a Node module to the process runtime, and the receipt says why', async () => {
    const moved = await run({
      language: 'javascript',
      code: 'import { createServer } from "node:http"; console.log(typeof createServer)',
    })
    expect(moved.runtime).toMatchObject({ name: 'process', passedOver: [{ name: 'isolate' }] })
    expect(moved.runtime?.passedOver[0]?.reason).toContain('node:http')
  })

  test('gives what moved there the packages and the check of types that it has in the isolate', async () => {
    const code = (type: string) =>
      `import { createHash } from 'node:crypto'\nimport { z } from 'zod'\nenum Kind { A = 'a' }\nconst given: ${type} = z.string().parse(Kind.A)\nexport default () => createHash('sha1').update(given).digest('hex')`
    const program = { language: 'typescript', typecheck: true } as const
    const done = await run({ ...program, code: code('string') })
    expect(done, JSON.stringify(done.error)).toMatchObject({
      result: '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8',
      runtime: { name: 'process', passedOver: [{ name: 'isolate', reason: expect.stringContaining('node:crypto') }] },
    })
    const wrong = await run({ ...program, code: code('number') })
    expect(wrong).toMatchObject({ status: 'failed', error: { kind: 'syntax', line: 4, column: 7 } })
  })

  test('marks the line of an error', async () => {
    const failed = await run({
      language: 'typescript',
      code: 'interface A { b: string }\n\nconst a = null as unknown as A\na.b.length',
    })
    expect(failed).toMatchObject({ status: 'failed', error: { kind: 'runtime', line: 4 } })
    const syntax = await run({ language: 'python', code: 'x = 1\ny = = 2' })
    expect(syntax).toMatchObject({ status: 'failed', error: { kind: 'syntax', line: 2 } })
  })

  test('takes input, stdin, variables and files, and gives files back', async () => {
    const done = await run({
      language: 'python',
      code: 'import os, sys, json\nfrom helper import double\nopen("out/result.txt".replace("out/", ""), "w").write(sys.stdin.read() + os.environ["GREETING"])\ndouble(21)',
      files: { 'helper.py': 'def double(n): return n * 2' },
      stdin: 'from stdin, ',
      env: { GREETING: 'hello' },
    })
    expect(done).toMatchObject({ status: 'succeeded', result: 42, files: [{ path: 'result.txt', size: 17 }] })
    const file = await owner.fetch(`/api/v1/runs/${done.id}/files/result.txt`)
    expect(await file.text()).toBe('from stdin, hello')
    expect(file.headers.get('content-type')).toBe('application/octet-stream')
    expect((await owner.fetch(`/api/v1/runs/${done.id}/files/nothing.txt`)).status).toBe(404)
    expect((await owner.fetch(`/api/v1/runs/${done.id}/files/..%2f..%2fetc%2fpasswd`)).status).toBe(404)
  })

  test('holds limits: time, memory, output', async () => {
    const slow = await run({ language: 'javascript', code: 'for (;;);', limits: { timeoutMs: 300 } })
    expect(slow).toMatchObject({ status: 'failed', error: { kind: 'timeout' } })
    const large = await run({ language: 'python', code: 'x = "a" * 10**9', limits: { memoryMb: 64 } })
    expect(large).toMatchObject({ status: 'failed', error: { kind: 'memory' } })
    const loud = await run({ language: 'bash', code: 'yes | head -c 3000000', limits: { outputBytes: 1000 } })
    expect(loud.truncated).toBe(true)
  })

  test('is kept with its keys in the order that the code gave them', async () => {
    const done = await run({
      language: 'javascript',
      code: 'display({ zebra: 1, apple: 2, b: 3 }); export default (env, input) => ({ zebra: input, apple: 1, b: 2 })',
      input: { yak: 1, ant: 2, c: 3 },
    })
    expect(JSON.stringify(done.result)).toBe('{"zebra":{"yak":1,"ant":2,"c":3},"apple":1,"b":2}')
    const params = { id: done.id }
    expect(JSON.stringify(await owner.call(routes.runs.get, { params }))).toContain(JSON.stringify(done.output))
    expect(JSON.stringify(await owner.call(routes.runs.get, { params }))).toContain(JSON.stringify(done.result))
    const { options } = await owner.call(routes.runs.program, { params })
    expect(JSON.stringify(options.input)).toBe('{"yak":1,"ant":2,"c":3}')
  })

  test('keeps what no database could: NUL and half characters in output and result', async () => {
    const done = await run({ language: 'javascript', code: 'console.log("a\\0b\\ud800c"); "r\\0"' })
    expect(done.output).toMatchObject([{ text: 'a\ufffdb\ufffdc' }])
    expect(await owner.call(routes.runs.get, { params: { id: done.id } })).toEqual(done)
  })
})

describe('a run that streams', () => {
  test('tells its events as they happen and can be resumed by the last id', async () => {
    const response = await owner.fetch('/api/v1/runs', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({
        language: 'javascript',
        code: `console.log('first'); await env.FETCH.fetch('${page.url}'); console.log('second')`,
        network: { allow: [page.url] },
      }),
    })
    const events = []
    for await (const { event } of readRunEvents(response.body!)) {
      events.push(event)
      // the first line comes while the code still runs, not with the end: until it has come, the code waits
      if (event.type === 'run-output') page.letGo()
    }
    expect(events.map((event) => event.type)).toEqual(['run-start', 'run-output', 'run-output', 'run-end'])
    const [start] = events
    const id = start?.type === 'run-start' ? start.run.id : ''
    const again = await owner.fetch(`/api/v1/runs/${id}/events`, { headers: { 'last-event-id': '1' } })
    const resumed = []
    for await (const { number, event } of readRunEvents(again.body!)) resumed.push([number, event.type])
    expect(resumed).toEqual([
      [2, 'run-output'],
      [3, 'run-end'],
    ])
  })
})

describe('a run that is not waited for', () => {
  test('is accepted with 202 and can be stopped with everything it started', async () => {
    const response = await owner.fetch('/api/v1/runs?wait=false', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ language: 'bash', code: 'sleep 100 & sleep 100' }),
    })
    expect(response.status).toBe(202)
    const { id } = (await response.json()) as Run
    await expect.poll(async () => (await owner.call(routes.runs.get, { params: { id } })).status).toBe('running')
    const stopped = await owner.call(routes.runs.cancel, { params: { id } })
    expect(stopped).toMatchObject({ status: 'cancelled', error: { kind: 'cancelled' } })
    expect(await owner.call(routes.runs.cancel, { params: { id } })).toEqual(stopped)
    const { items } = await owner.call(routes.audit.list, { query: { limit: 50 } })
    expect(items.filter(({ target }) => target?.id === id).map(({ action }) => action)).toEqual([
      'run.cancel',
      'run.start',
    ])
  })
})

describe('what a run may ask for', () => {
  test.each([
    [{ language: 'cobol', code: '' }, 'language'],
    [{ language: 'python' }, 'code'],
    [{ language: 'python', code: '', files: { '../x': '' } }, 'files.../x'],
    [{ language: 'python', code: '', files: { '/etc/x': '' } }, 'files./etc/x'],
    [{ language: 'python', code: '', files: { a: '', 'a/b': '' } }, 'files'],
    [{ language: 'python', code: '', files: { 'main.py/a': '' } }, 'files'],
    [{ language: 'javascript', code: '', files: { [`${'a/'.repeat(40)}a`]: '' } }, 'files'],
    [{ language: 'python', code: '', entry: '../main.py' }, 'entry'],
    [{ language: 'python', code: '', limits: { timeoutMs: 10_000_000 } }, 'limits.timeoutMs'],
    [{ language: 'python', code: '', limits: { memoryMb: 1e9 } }, 'limits.memoryMb'],
    [{ language: 'python', code: '', shell: true }, 'shell'],
    [{ language: 'python', code: '', env: { 'A=B': '' } }, 'env.A=B'],
    [{ language: 'python', code: '', env: { A: 'a\0b' } }, 'env.A'],
    [{ language: 'python', code: '', runtime: 'isolate' }, 'runtime'],
    [{ language: 'python', code: '', typecheck: true }, 'typecheck'],
    [{ language: 'javascript', code: '', typecheck: true }, 'typecheck'],
    [{ language: 'javascript', code: '', packages: ['../left-pad'] }, 'packages'],
    [{ language: 'python', code: '', files: { a: 1 } }, 'files.a'],
    [{ language: 'python', code: '', network: { allow: ['file:///etc/'] } }, 'network.allow'],
    [
      { language: 'python', code: '', network: { allow: ['https://a.test/', 'https://a.test/v1/*'] } },
      'network.allow.1',
    ],
  ])('%j is refused, with the field named', async (body, field) => {
    const response = await owner.fetch('/api/v1/runs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { code: string; details: { field: string }[] } }
    expect(error.code).toBe('invalid_input')
    expect(error.details.map((one) => one.field)).toContain(field)
  })

  test('types are checked on request: a default export may leave what it is given without any, other code may not', async () => {
    const check = (code: string) =>
      owner.call(routes.runs.create, {
        body: { language: 'typescript', code, input: { n: 21 }, typecheck: true },
      })
    expect(await check('export default async (env, input: { n: number }) => input.n * 2')).toMatchObject({ result: 42 })
    const named = await check('export default (env: Env, { n }: { n: number }) => [n, typeof env.FILES?.read]')
    expect(named).toMatchObject({ result: [21, 'function'] })
    expect(await check('const twice = (n) => n * 2\nexport default (env) => twice(21)')).toMatchObject({
      status: 'failed',
      error: { kind: 'syntax', line: 1, column: 16, message: expect.stringContaining('TS7006') },
    })
  })

  test('the list knows which runs are running, and a program comes with its options but for variables', async () => {
    const { id } = await owner.call(routes.runs.create, {
      query: { wait: 'false' },
      body: {
        language: 'python',
        code: 'import time; time.sleep(60)',
        input: { n: 1 },
        env: { TOKEN: 'mine' },
        limits: { memoryMb: 200 },
      },
    })
    const listed = async (status: 'queued' | 'running') => {
      const { items } = await owner.call(routes.runs.list, { query: { status } })
      return items.some((item) => item.id === id && item.status === status)
    }
    await expect.poll(() => listed('running'), { timeout: 25_000 }).toBe(true)
    expect(await listed('queued')).toBe(false)
    expect((await owner.call(routes.runs.program, { params: { id } })).options).toEqual({
      language: 'python',
      input: { n: 1 },
      limits: { memoryMb: 200 },
    })
    await owner.call(routes.runs.cancel, { params: { id } })
    expect(await listed('running')).toBe(false)
  })

  test('viewers look and do not run; other teams see nothing', async () => {
    const done = await run({ language: 'javascript', code: '1' })
    const viewer = await server.invite(owner, 'viewer')
    expect((await viewer.call(routes.runs.get, { params: { id: done.id } })).id).toBe(done.id)
    await expect(
      viewer.call(routes.runs.create, { body: { language: 'javascript', code: '1' } }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    const stranger = await server.invite(owner, 'editor')
    const { id: teamId } = await stranger.call(routes.teams.create, { body: { name: 'Elsewhere' } })
    await stranger.call(routes.signIn.switchTeam, { body: { teamId } })
    const params = { id: done.id }
    for (const route of [routes.runs.get, routes.runs.program, routes.runs.events, routes.runs.cancel]) {
      await expect(stranger.call(route, { params })).rejects.toMatchObject({ code: 'not_found' })
    }
    expect(await stranger.call(routes.runs.list, {})).toEqual({ items: [], nextCursor: null })
  })

  test('quotas are held: seconds of running code, and runs at once', async () => {
    const editor = await server.invite(owner, 'editor')
    const { id: teamId } = await owner.call(routes.teams.create, { body: { name: 'Frugal' } })
    await owner.call(routes.signIn.switchTeam, { body: { teamId } })
    await owner.call(routes.teams.setQuotas, { body: { runSecondsPerDay: 0 } })
    await expect(run({ language: 'javascript', code: '1' })).rejects.toMatchObject({
      code: 'quota_exceeded',
      details: { quota: 'runSecondsPerDay' },
      // days are those of UTC
      retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 86_400),
    })
    await owner.call(routes.teams.setQuotas, { body: { runSecondsPerDay: 100, runsAtOnce: 1 } })
    const [first, second] = await Promise.all([
      run({ language: 'python', code: 'import time; time.sleep(0.5)' }),
      run({ language: 'python', code: 'import time; time.sleep(0.5)' }),
    ])
    const [early, late] = [first, second].toSorted((a, b) => (a.startedAt ?? '').localeCompare(b.startedAt ?? ''))
    expect(Date.parse(late?.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(early?.endedAt ?? '') - 50)
    await owner.call(routes.signIn.switchTeam, { body: { teamId: editor.me.team?.id ?? '' } })
  })
})

describe('a team whose storage is full', () => {
  test('is told which files were not kept, and the run still succeeds', async () => {
    const before = (await owner.call(routes.signIn.me, {})).team?.id ?? ''
    const { id: teamId } = await owner.call(routes.teams.create, { body: { name: 'Full' } })
    await owner.call(routes.signIn.switchTeam, { body: { teamId } })
    await owner.call(routes.teams.setQuotas, { body: { storageMb: 1 } })
    const code = 'open("small.txt", "w").write("x")\nopen("wide.txt", "w").write("x" * 2_000_000)'
    const done = await run({ language: 'python', code })
    expect(done).toMatchObject({ status: 'succeeded', files: [{ path: 'small.txt', size: 1 }] })
    const notice = "[1 of 2 files were not kept: the team's storage is full]"
    expect(done.output).toMatchObject([{ stream: 'stderr', text: notice }])
    expect(await owner.call(routes.runs.get, { params: { id: done.id } })).toEqual(done)
    await owner.call(routes.signIn.switchTeam, { body: { teamId: before } })
  })
})

describe('the list of runs', () => {
  test('filters and finds by code, newest first, page by page', async () => {
    const marker = 'needle_in_the_code'
    for (let n = 0; n < 3; n++) await run({ language: 'javascript', code: `// ${marker}\n${n}` })
    await run({ language: 'javascript', code: `throw new Error("${marker}")` })
    const found = await owner.call(routes.runs.list, { query: { search: marker, limit: 2 } })
    expect(found.items.map((one) => one.status)).toEqual(['failed', 'succeeded'])
    const rest = await owner.call(routes.runs.list, {
      query: { search: marker, limit: 2, cursor: found.nextCursor ?? '' },
    })
    expect(rest.items).toHaveLength(2)
    expect(rest.nextCursor).toBeNull()
    const failed = await owner.call(routes.runs.list, { query: { search: marker, status: 'failed' } })
    expect(failed.items).toMatchObject([{ error: { kind: 'runtime' }, firstLine: `throw new Error("${marker}")` }])
  })

  test('every run is in the audit log with who ran it', async () => {
    const done = await run({ language: 'javascript', code: '"audited"' })
    const { items } = await owner.call(routes.audit.list, { query: { search: done.id } })
    expect(items).toMatchObject([
      { action: 'run.start', actor: { name: 'Olga Owner' }, target: { kind: 'run', id: done.id } },
    ])
  })
})
