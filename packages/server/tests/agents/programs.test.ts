import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes, type Approval, type Thread, type Turn } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'

const soon = { timeout: 30_000 }

/** A place outside of the product that counts what reaches it. */
const counter = await startCounter()
const { chat, server, owner } = await startAgentServer({ COHEREX_ALLOW_PRIVATE: `127.0.0.1:${counter.port}` })
const editor = await server.invite(owner, 'editor')

beforeAll(async () => {
  const network = `network: { allow: ["http://127.0.0.1:${counter.port}/"] }`
  await define('worker', `tools: [files, fetch, sleep, code-mode]\n${network}\napprovals: { files: when-writing }`)
  await define('runner', 'tools: [run-code, code-mode]')
  await define('guarded', `tools: [files, fetch, code-mode]\n${network}\napprovals: { code-mode: always }`)
})
afterAll(() => counter.stop())

async function startCounter(): Promise<{ port: number; hits: string[]; stop(): void }> {
  const hits: string[] = []
  const http: Server = createServer((request, response) => {
    hits.push(request.url ?? '')
    const text = JSON.stringify({ z: hits.length, a: request.url })
    const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    // longer than a program is waited for that does nothing
    if (request.url?.startsWith('/slow')) setTimeout(answer, 250)
    else answer()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return { port: (http.address() as AddressInfo).port, hits, stop: () => void http.close() }
}

async function define(name: string, rest: string): Promise<void> {
  const source = `kind: agent\nname: ${name}\ndescription: Works\ninstructions: Work.\n${rest}\n`
  expect((await owner.call(routes.agents.create, { body: { source } })).status).toBe('active')
}

interface Started {
  threadId: string
  turnId: string
  workspaceId: string
}

/** Has an agent run a program. `env.TOOLS` is `T` in it, `env.VARS` is `VARS`, and `hit` counts outside. */
async function start(body: string, agent = 'worker'): Promise<Started> {
  const hit = `const hit = (path) => T.fetch_url({ url: 'http://127.0.0.1:${counter.port}/' + path })`
  const code = `export default async ({ TOOLS: T, VARS }) => {\n${hit}\n${body}\n}`
  counter.hits.length = 0
  chat.answer([{ calls: [{ id: 'call_program', name: 'run_program', arguments: { code } }] }, { text: 'Done.' }])
  const { id: workspaceId } = await owner.call(routes.workspaces.create, { body: { name: 'Desk' } })
  const { id: threadId } = await owner.call(routes.threads.create, {
    body: { agent, workspaceId, title: 'Program', reach: 'team' },
  })
  const { id: turnId } = await owner.call(routes.threads.turn, {
    params: { id: threadId },
    query: { wait: 'false' },
    body: { text: 'Go' },
  })
  return { threadId, turnId, workspaceId }
}

async function status(turnId: string, wanted: Turn['status']): Promise<Turn> {
  const get = () => owner.call(routes.threads.getTurn, { params: { id: turnId } })
  await expect.poll(async () => (await get()).status, soon).toBe(wanted)
  return get()
}

async function pending({ threadId, turnId }: Started, expected = 1): Promise<Approval[]> {
  const list = () => owner.call(routes.approvals.list, { query: { threadId, status: 'pending' } })
  await expect.poll(async () => (await list()).items.length, soon).toBe(expected)
  await status(turnId, 'waiting')
  return (await list()).items.sort((a, b) => (a.callId < b.callId ? -1 : 1))
}

const decide = (approval: Approval | undefined, body: object) =>
  editor.call(routes.approvals.decide, { params: { id: approval?.id ?? '' }, body: body as { decision: 'approve' } })
const approve = (approval: Approval | undefined) => decide(approval, { decision: 'approve', hash: approval?.hash })

async function files({ workspaceId }: Started): Promise<string[]> {
  const { items } = await owner.call(routes.workspaces.listFiles, { params: { id: workspaceId } })
  return items.map(({ path }) => path).sort()
}

async function outcome({ threadId }: Started) {
  const thread: Thread = await owner.call(routes.threads.get, { params: { id: threadId } })
  const part = thread.messages.at(-1)?.parts.find(({ type }) => type === 'tool-run_program')
  return part as unknown as {
    state: string
    errorText?: string
    output?: { text: string; data: { calls: { tool: string; input: unknown; outcome: string; text: string }[] } }
  }
}

async function superuser(sql: string, values: unknown[]): Promise<void> {
  const client = await server.database.superuser()
  await client.query(sql, values)
  await client.end()
}

describe('[approvals.6] a program that makes a call which takes an approval', () => {
  it('is stopped, waits without a process, and runs again after the answer: nothing is done twice', async () => {
    const started = await start(`
      const first = await hit('a')
      const drawn = [Math.random(), crypto.randomUUID(), Date.now()].join()
      await T.write_file({ path: 'one.txt', content: drawn })
      const after = await hit('b')
      return { first: Object.keys(JSON.parse(first.text.split('\\n\\n')[1])), same: (await T.read_file({ path: 'one.txt' })).text.includes(drawn) }`)
    const [asked] = await pending(started)
    expect(asked).toMatchObject({ tool: 'write_file', callId: 'call_program/1', via: ['run_program'], agent: 'worker' })
    expect(counter.hits).toEqual(['/a'])
    expect(await files(started)).toEqual([])
    const { items: underWay } = await owner.call(routes.runs.list, { query: { status: 'running' } })
    expect(underWay).toEqual([])
    await approve(asked)
    await status(started.turnId, 'done')
    expect(counter.hits).toEqual(['/a', '/b'])
    expect(await files(started)).toEqual(['one.txt'])
    const { output } = await outcome(started)
    expect(output?.text).toContain('Result: {"first":["z","a"],"same":true}')
    expect(output?.data.calls.map(({ tool, outcome: how }) => [tool, how])).toEqual([
      ['fetch_url', 'done'],
      ['write_file', 'done'],
      ['fetch_url', 'done'],
      ['read_file', 'done'],
    ])
  })

  it('finds the variables it began with when it runs again, whatever was set meanwhile', async () => {
    const params = { name: 'worker', variable: 'TONE' }
    const set = (value: string) => owner.call(routes.variables.putOfAgent, { params, body: { value } })
    await set('dry')
    const code = `await T.write_file({ path: VARS.TONE + '.txt', content: VARS.TONE })\nreturn VARS.TONE`
    const started = await start(code)
    const [asked] = await pending(started)
    await set('warm')
    await approve(asked)
    await status(started.turnId, 'done')
    expect((await outcome(started)).output?.text).toContain('Result: "dry"')
    expect(await files(started)).toEqual(['dry.txt'])
    await owner.call(routes.variables.removeOfAgent, { params })
  })

  it('hears a refusal with its note as an error, and of changed arguments what they gave', async () => {
    const started = await start(`
      const no = await T.write_file({ path: 'no.txt', content: '1' }).catch(({ code, message }) => code + ' ' + message)
      const yes = await T.write_file({ path: 'theirs.txt', content: '1' })
      return [no, yes.text]`)
    const [first] = await pending(started)
    await decide(first, { decision: 'reject', note: 'Not that name' })
    await expect.poll(async () => (await pending(started))[0]?.callId, soon).toBe('call_program/1')
    const [second] = await pending(started)
    const wrong = decide(second, { decision: 'approve', input: { path: 7 } })
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_input' })
    await decide(second, { decision: 'approve', input: { path: 'mine.txt', content: '2' } })
    await status(started.turnId, 'done')
    expect(await files(started)).toEqual(['mine.txt'])
    const { output } = await outcome(started)
    expect(output?.text).toContain(`REJECTED ${editor.me.person.name} rejected it: Not that name`)
    expect(output?.data.calls).toMatchObject([
      { outcome: 'failed', input: { path: 'no.txt' } },
      { outcome: 'done', input: { path: 'mine.txt', content: '2' } },
    ])
  })

  it('asks for those it makes at once together, runs the others meanwhile, and keeps the order of answers', async () => {
    const started = await start(`
      const heard = []
      const one = async (name, call) => { await call; heard.push(name); await hit('after-' + name); heard.push(name + '!') }
      await Promise.all([
        one('x', T.write_file({ path: 'x.txt', content: 'x' })),
        one('y', hit('y')),
        one('z', T.write_file({ path: 'z.txt', content: 'z' })),
        one('w', hit('w')),
      ])
      return heard`)
    const [x, z] = await pending(started, 2)
    expect([x?.callId, z?.callId]).toEqual(['call_program/0', 'call_program/2'])
    expect([...counter.hits].sort()).toEqual(['/after-w', '/after-y', '/w', '/y'])
    await approve(z)
    await expect.poll(() => files(started), soon).toEqual(['z.txt'])
    await expect.poll(() => counter.hits, soon).toContain('/after-z')
    expect((await pending(started))[0]?.id).toBe(x?.id)
    await approve(x)
    await status(started.turnId, 'done')
    expect([...counter.hits].sort()).toEqual(['/after-w', '/after-x', '/after-y', '/after-z', '/w', '/y'])
    const heard = JSON.parse((await outcome(started)).output?.text.replace('Result: ', '') ?? '') as string[]
    expect(heard.slice(-4)).toEqual(['z', 'z!', 'x', 'x!'])
  })

  it('goes on beside it with what takes none, however long each of that takes', async () => {
    const started = await start(`
      const beside = async () => { for (const n of [1, 2, 3]) await hit('slow-' + n) }
      await Promise.all([T.write_file({ path: 's.txt', content: 's' }), beside()])`)
    const [asked] = await pending(started)
    expect(counter.hits).toEqual(['/slow-1', '/slow-2', '/slow-3'])
    await approve(asked)
    await status(started.turnId, 'done')
    expect(counter.hits).toHaveLength(3)
  })

  it('ends the turn with the reason when it takes another path', async () => {
    const started = await start(`
      await hit('a')
      await T.write_file({ path: 'p.txt', content: 'p' })
      await hit('b')`)
    const [asked] = await pending(started)
    // behind the product's back: with its clock and randomness fixed, a program has no way to do this by itself
    await superuser(
      `UPDATE coherex.agent_program_call SET input = replace(input, '/a', '/c') WHERE answer_id IN (
      SELECT answer_id FROM coherex.turn WHERE id = $1) AND number = 0`,
      [started.turnId],
    )
    await approve(asked)
    const { ending } = await status(started.turnId, 'failed')
    expect(ending).toMatchObject({
      kind: 'replay',
      message: expect.stringMatching(/another path.*call 1 was fetch_url .*\/c.* is now fetch_url .*\/a/),
    })
    expect(counter.hits).toEqual(['/a'])
    expect(await files(started)).toEqual([])
    expect(await outcome(started)).toMatchObject({ state: 'output-error', errorText: ending?.message })
  })

  it('ends the turn when it leaves out a call that it made before', async () => {
    const started = await start(`await hit('a')\nawait T.write_file({ path: 'p.txt', content: 'p' })`)
    const [asked] = await pending(started)
    await superuser(
      `INSERT INTO coherex.agent_program_call (team_id, answer_id, call_id, number, tool, input)
       SELECT team_id, answer_id, call_id, 2, 'fetch_url', '{"url":"x"}'
       FROM coherex.agent_program WHERE answer_id IN (SELECT answer_id FROM coherex.turn WHERE id = $1)`,
      [started.turnId],
    )
    await approve(asked)
    const { ending } = await status(started.turnId, 'failed')
    expect(ending?.message).toContain('call 3, fetch_url {"url":"x"}, was not made again')
    expect(counter.hits).toEqual(['/a'])
  })

  it('makes a call that it does not wait for, and cannot sleep', async () => {
    const started = await start(`
      const error = await T.sleep({ for: '1s' }).catch((one) => one)
      void T.write_file({ path: 'later.txt', content: 'l' })
      return error.code + ' ' + error.message`)
    const [asked] = await pending(started)
    await approve(asked)
    await status(started.turnId, 'done')
    expect(await files(started)).toEqual(['later.txt'])
    expect((await outcome(started)).output?.text).toContain('NOT_ALLOWED A program cannot sleep')
  })

  it('goes on in a continued turn, where what was asked is asked again', async () => {
    const started = await start(`await hit('a')\nawait T.write_file({ path: 'c.txt', content: 'c' })`)
    const [asked] = await pending(started)
    await owner.call(routes.threads.stop, { params: { id: started.turnId } })
    await expect(approve(asked)).rejects.toMatchObject({ code: 'conflict' })
    const { id: turnId } = await owner.call(routes.threads.continue, {
      params: { id: started.turnId },
      query: { wait: 'false' },
    })
    const next = { ...started, turnId }
    const [again] = await pending(next)
    expect(again?.hash).not.toBe(asked?.hash)
    await approve(again)
    await status(turnId, 'done')
    expect(counter.hits).toEqual(['/a'])
    expect(await files(started)).toEqual(['c.txt'])
  })

  it('is asked for once itself where a rule says so, also with changed code', async () => {
    const started = await start(`await hit('first')\nawait T.write_file({ path: 'g.txt', content: 'g' })`, 'guarded')
    await owner.call(routes.approvals.setRules, { body: { rules: { files: 'when-writing' } } })
    try {
      const [program] = await pending(started)
      expect(program).toMatchObject({ tool: 'run_program', via: [] })
      expect(counter.hits).toEqual([])
      const { code = '' } = (program?.input ?? {}) as { code?: string }
      await decide(program, { decision: 'approve', input: { code: code.replace('first', 'changed') } })
      await expect.poll(async () => (await pending(started))[0]?.tool, soon).toBe('write_file')
      await approve((await pending(started))[0])
      await status(started.turnId, 'done')
      expect(counter.hits).toEqual(['/changed'])
      expect(await files(started)).toEqual(['g.txt'])
    } finally {
      await owner.call(routes.approvals.setRules, { body: { rules: {} } })
    }
  })
})

test('[tools.5] what a program runs needs no place beside its own: one at a time is enough for it', async () => {
  await owner.call(routes.teams.setQuotas, { body: { runsAtOnce: 1 } })
  const started = await start(
    `const sums = [1, 2].map((n) => T.run_code({ language: 'javascript', code: n + ' + 40' }))
    return (await Promise.all(sums)).map(({ text }) => /4[12]/.exec(text)?.[0])`,
    'runner',
  )
  await status(started.turnId, 'done')
  expect((await outcome(started)).output?.text).toMatch(/"41",\s*"42"/)
})
