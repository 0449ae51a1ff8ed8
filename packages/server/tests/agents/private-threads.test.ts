import { once } from 'node:events'
import { routes, type ThreadReach } from '@coherex/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startAgentServer } from '../harness/agent-server.ts'
import type { TestPerson } from '../harness/test-server.ts'

const { chat, server, owner } = await startAgentServer()
const author = await server.invite(owner, 'editor')
const other = await server.invite(owner, 'editor')

beforeAll(async () => {
  await define('worker', 'tools: [bash, files]\napprovals: { files: when-writing }')
  await define('asker', 'tools: ["agent:worker"]')
})

async function define(name: string, rest: string): Promise<void> {
  const source = `kind: agent\nname: ${name}\ndescription: Works\ninstructions: Work.\n${rest}\n`
  expect((await owner.call(routes.agents.create, { body: { source } })).status).toBe('active')
}

const bash = (command: string) => ({ calls: [{ name: 'bash', arguments: { command } }] })

async function begin(who: TestPerson, agent: string, text: string, reach?: ThreadReach) {
  const { id } = await who.call(routes.threads.create, { body: { agent, ...(reach && { reach }) } })
  const turn = await who.call(routes.threads.turn, { params: { id }, query: { wait: 'false' }, body: { text } })
  return { threadId: id, turnId: turn.id }
}

async function status(who: TestPerson, turnId: string, wanted: string): Promise<void> {
  const get = () => who.call(routes.threads.getTurn, { params: { id: turnId } })
  await expect.poll(async () => (await get()).status, { timeout: 30_000, interval: 50 }).toBe(wanted)
}

/** Everything that belongs to the thread of a turn that ran a command. */
async function thingsOf(who: TestPerson, { threadId, turnId }: { threadId: string; turnId: string }) {
  const { sandboxId } = await who.call(routes.threads.get, { params: { id: threadId } })
  const { steps } = await who.call(routes.threads.getTurn, { params: { id: turnId } })
  const runId = steps.flatMap(({ calls }) => calls).find((call) => call.runId)?.runId
  return { threadId, turnId, runId: runId ?? '', sandboxId: sandboxId ?? '' }
}

/** What someone gets who asks for each of these things. */
async function answersTo(
  who: TestPerson,
  { threadId, turnId, runId, sandboxId }: Awaited<ReturnType<typeof thingsOf>>,
) {
  const paths = [
    ...['', '/export', '/stream'].map((path) => `/threads/${threadId}${path}`),
    ...['', '/timeline'].map((path) => `/turns/${turnId}${path}`),
    ...['', '/program', '/events'].map((path) => `/runs/${runId}${path}`),
    ...['', '/files', '/files/secret.txt', '/processes'].map((path) => `/sandboxes/${sandboxId}${path}`),
  ]
  return new Set(await Promise.all(paths.map(async (path) => (await who.fetch(`/api/v1${path}`)).status)))
}

async function listen(who: TestPerson) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/events`, { headers: who.socketHeaders() })
  const heard: { type: string; id: string | null }[] = []
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as (typeof heard)[number]))
  await once(socket, 'open')
  return { heard, close: () => socket.close() }
}

/** The status with which a terminal is refused, or that it opened. */
async function openTerminal(who: TestPerson, sandboxId: string): Promise<number | 'open'> {
  const url = `${server.url.replace('http', 'ws')}/api/v1/sandboxes/${sandboxId}/terminal`
  const socket = new WebSocket(url, { headers: who.socketHeaders() })
  socket.on('error', () => undefined)
  const status = await Promise.race([
    once(socket, 'open').then(() => 'open' as const),
    once(socket, 'unexpected-response').then(([, response]) => (response as { statusCode: number }).statusCode),
  ])
  socket.terminate()
  return status
}

describe('a thread that a person begins', () => {
  it('is private with its turns, runs, sandbox and events until its author shares it, and again when they take it back', async () => {
    const [theirs, own] = [await listen(other), await listen(author)]
    chat.answer([bash('echo 42 > secret.txt; cat secret.txt'), { text: 'The secret is 42.' }])
    const begun = await begin(author, 'worker', 'Keep the secret 42')
    await status(author, begun.turnId, 'done')
    const things = await thingsOf(author, begun)
    const ids = Object.values(things)
    expect(ids).not.toContain('')

    expect(await answersTo(author, things)).toEqual(new Set([200, 204]))
    for (const who of [other, owner]) {
      expect(await answersTo(who, things)).toEqual(new Set([404]))
      expect(await openTerminal(who, things.sandboxId)).toBe(404)
      const cell = { language: 'bash' as const, code: 'cat secret.txt', sandboxId: things.sandboxId }
      await expect(who.call(routes.runs.create, { body: cell })).rejects.toMatchObject({ code: 'not_found' })
      for (const list of [routes.threads.list, routes.threads.turns, routes.executions.list, routes.runs.list]) {
        const text = await (await who.fetch(`${list.path}?limit=200`)).text()
        expect([list.path, ids.filter((id) => text.includes(id))]).toEqual([list.path, []])
      }
      expect((await who.call(routes.threads.list, { query: { search: 'secret' } })).items).toEqual([])
    }
    await expect
      .poll(() => own.heard.map(({ id }) => id))
      .toEqual(expect.arrayContaining([things.threadId, things.runId, things.sandboxId]))
    expect(theirs.heard.filter(({ id }) => id !== null && ids.includes(id))).toEqual([])

    const params = { id: things.threadId }
    await expect(other.call(routes.threads.change, { params, body: { reach: 'team' } })).rejects.toMatchObject({
      code: 'not_found',
    })
    const shared = await author.call(routes.threads.change, { params, body: { reach: 'team' } })
    expect(shared).toMatchObject({ reach: 'team', createdBy: { id: author.me.person.id } })
    expect(await answersTo(other, things)).toEqual(new Set([200, 204]))
    await expect.poll(() => theirs.heard.map(({ id }) => id)).toContain(things.threadId)
    await expect(other.call(routes.threads.change, { params, body: { reach: 'private' } })).rejects.toMatchObject({
      code: 'forbidden',
    })

    const before = theirs.heard.length
    await author.call(routes.threads.change, { params, body: { reach: 'private' } })
    expect(await answersTo(other, things)).toEqual(new Set([404]))
    await expect.poll(() => theirs.heard.slice(before)).toContainEqual({ type: 'thread', id: null })
    expect(theirs.heard.slice(before).filter(({ id }) => id === things.threadId)).toEqual([])

    await author.call(routes.threads.remove, { params })
    for (const path of [`/runs/${things.runId}`, `/threads/${things.threadId}`]) {
      expect((await author.fetch(`/api/v1${path}`)).status).toBe(404)
    }
    theirs.close()
    own.close()
  })

  it('is held by the database: another person reads and changes nothing of it by SQL', async () => {
    chat.answer([bash('echo hidden'), { text: 'Hidden.' }])
    const begun = await begin(author, 'worker', 'Hide')
    await status(author, begun.turnId, 'done')
    const superuser = await server.database.superuser()
    const { rows } = await superuser.query<{ team_id: string }>('SELECT team_id FROM coherex.thread WHERE id = $1', [
      begun.threadId,
    ])
    const team = rows[0]?.team_id
    const tables = [
      'thread',
      'message',
      'turn',
      'turn_step',
      'turn_history',
      'turn_call',
      'run',
      'sandbox',
      'sandbox_cell',
    ]
    const countAs = async (person: string, scope = '') => {
      await superuser.query('BEGIN')
      await superuser.query(`SET LOCAL ROLE "${server.database.name}_app"`)
      await superuser.query(
        `SELECT set_config('app.team', $1, true), set_config('app.person', $2, true), set_config('app.scope', $3, true)`,
        [team, person, scope],
      )
      const counts: Record<string, number> = {}
      for (const table of tables) {
        const { rowCount } = await superuser.query(`SELECT FROM coherex.${table}`)
        counts[table] = rowCount ?? 0
      }
      const taken = await superuser.query(`UPDATE coherex.thread SET title = 'mine now' WHERE id = $1`, [
        begun.threadId,
      ])
      const gone = await superuser.query('DELETE FROM coherex.message WHERE thread_id = $1', [begun.threadId])
      await superuser.query('ROLLBACK')
      return { counts, changed: (taken.rowCount ?? 0) + (gone.rowCount ?? 0) }
    }
    const [own, theirs, nobodys] = [
      await countAs(author.me.person.id),
      await countAs(other.me.person.id),
      await countAs(''),
    ]
    expect(Object.values(own.counts).every((count) => count > 0)).toBe(true)
    expect(own.changed).toBe(3)
    for (const seen of [theirs, nobodys]) {
      expect(seen.changed).toBe(0)
      expect(Object.entries(seen.counts).filter(([table, count]) => count >= (own.counts[table] ?? 0))).toEqual([])
    }

    // nobody takes a thread of the team for themselves, and nobody makes it another's secret
    await superuser.query('BEGIN')
    await superuser.query('UPDATE coherex.thread SET private_to = NULL WHERE id = $1', [begun.threadId])
    await superuser.query(`SET LOCAL ROLE "${server.database.name}_app"`)
    await superuser.query(`SELECT set_config('app.team', $1, true), set_config('app.person', $2, true)`, [
      team,
      other.me.person.id,
    ])
    for (const person of [author.me.person.id, other.me.person.id]) {
      await superuser.query('SAVEPOINT taking')
      const taking = superuser.query('UPDATE coherex.thread SET private_to = $1 WHERE id = $2', [
        person,
        begun.threadId,
      ])
      await expect(taking).rejects.toThrow(/row-level security|private_to_author/)
      await superuser.query('ROLLBACK TO taking')
    }
    await superuser.query('ROLLBACK')
    await superuser.end()
  })

  it('asks its author and admins, who see the call and not the conversation', async () => {
    const ears = await listen(other)
    const workspace = await author.call(routes.workspaces.create, { body: { name: 'Desk' } })
    const { id } = await author.call(routes.threads.create, { body: { agent: 'worker', workspaceId: workspace.id } })
    const write = { name: 'write_file', arguments: { path: 'a.txt', content: 'from a private thread' } }
    chat.answer([{ calls: [write] }, { text: 'Written.' }])
    const turn = await author.call(routes.threads.turn, {
      params: { id },
      query: { wait: 'false' },
      body: { text: 'Write' },
    })
    await status(author, turn.id, 'waiting')
    const pendingOf = async (who: TestPerson) =>
      (await who.call(routes.approvals.list, { query: { status: 'pending' } })).items
    const [asked] = await pendingOf(owner)
    expect(asked).toMatchObject({ tool: 'write_file', threadId: null, requestedBy: { id: author.me.person.id } })
    expect(asked?.shownInput).toContain('from a private thread')
    expect(await pendingOf(author)).toMatchObject([{ threadId: id }])
    expect(await pendingOf(other)).toEqual([])
    const params = { id: asked?.id ?? '' }
    await expect(other.call(routes.approvals.decide, { params, body: { decision: 'approve' } })).rejects.toMatchObject({
      code: 'not_found',
    })

    expect(await owner.call(routes.approvals.decide, { params, body: { decision: 'approve' } })).toMatchObject({
      status: 'approved',
      threadId: null,
    })
    await status(author, turn.id, 'done')
    expect((await owner.fetch(`/api/v1/threads/${id}`)).status).toBe(404)
    expect(ears.heard.filter((event) => event.id === params.id)).toEqual([])
    ears.close()
  })

  it('gives its reach to the threads of the agents it asks', async () => {
    chat.answer(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { text: 'Done.' }
        : JSON.stringify(messages).includes('Ask it')
          ? { calls: [{ name: 'ask_worker', arguments: { question: 'A private question' } }] }
          : { text: 'A private answer.' },
    )
    const begun = await begin(author, 'asker', 'Ask it')
    await status(author, begun.turnId, 'done')
    const query = { startedBy: 'agent' }
    const [asked] = (await author.call(routes.threads.list, { query })).items
    expect(asked).toMatchObject({ agent: 'worker', reach: 'private', startedBy: 'agent' })
    expect((await other.call(routes.threads.list, { query })).items).toEqual([])
    await author.call(routes.threads.change, { params: { id: begun.threadId }, body: { reach: 'team' } })
    expect((await other.call(routes.threads.list, { query })).items).toMatchObject([{ id: asked?.id, reach: 'team' }])
    await author.call(routes.threads.change, { params: { id: begun.threadId }, body: { reach: 'private' } })
    expect((await other.call(routes.threads.list, { query })).items).toEqual([])
  })
})

describe('the list of threads', () => {
  it('tells mine from the team’s, archived ones, and what began them', async () => {
    const { key } = await author.call(routes.keys.create, { body: { name: 'script', scopes: ['run'] } })
    const byKey = await server.withKey(key)(routes.threads.create, { body: { agent: 'worker', title: 'By key' } })
    expect(byKey).toMatchObject({ reach: 'team', startedBy: 'key' })
    const shared = await author.call(routes.threads.create, {
      body: { agent: 'worker', title: 'Shared', reach: 'team' },
    })
    const own = await author.call(routes.threads.create, { body: { agent: 'worker', title: 'Own' } })
    await author.call(routes.threads.change, { params: { id: own.id }, body: { isArchived: true } })
    const titles = async (who: TestPerson, query: object) =>
      (await who.call(routes.threads.list, { query: { agent: 'worker', ...query } })).items
        .map(({ title }) => title)
        .filter((title) => /^(By key|Shared|Own)$/.test(title))
    expect(await titles(other, { reach: 'team' })).toEqual(['Shared', 'By key'])
    expect(await titles(other, { reach: 'team', startedBy: 'person' })).toEqual(['Shared'])
    expect(await titles(author, { mine: 'true', startedBy: 'person,key' })).toEqual(['Shared', 'By key'])
    expect(await titles(author, { archived: 'true' })).toEqual(['Own'])
    expect(await titles(other, { archived: 'true' })).toEqual([])
    // as editors could before, they work in what is the team's
    expect(
      await other.call(routes.threads.change, { params: { id: shared.id }, body: { title: 'Ours' } }),
    ).toMatchObject({ title: 'Ours' })
    const missing = { id: shared.id }
    await expect(
      author.call(routes.threads.change, { params: missing, body: { workspaceId: 'wsp_00000000000000000000000000' } }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})
