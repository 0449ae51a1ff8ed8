import { readEvents, routes } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { openDurableScene, type DurableScene } from '../harness/durable-scene.ts'
import { isLong } from '../harness/long-tests.ts'
import type { ChatReply, ChatRequest } from '../harness/outside/chat-server.ts'

const range = (length: number) => Array.from({ length }, (_, index) => index)
const rounds = isLong ? 10 : 1
const steps = isLong ? 10 : 3
/** The steps that turns are at when their server dies, all at once. */
const places = isLong ? range(steps) : [1]
const longest = { timeout: isLong ? 3_600_000 : 300_000 }

let scene: DurableScene

beforeAll(async () => {
  scene = await openDurableScene()
  const network = `network: { allow: ["${scene.counter.url}/"] }`
  await scene.define('counter', `tools: [bash, fetch, code-mode]\n${network}\nlimits: { steps: 60 }`)
  await scene.define('asker', `tools: [bash, fetch, code-mode]\n${network}\napprovals: { fetch: always }`)
  await scene.define('boss', 'tools: [agent:asker, agent:counter]')
  await scene.define('single', 'tools: [sleep]\nlimits: { turnsAtOnce: 1 }')
  await scene.superuser.query(
    `UPDATE coherex.team SET quotas = '{"runsAtOnce": 100, "sandboxesAtOnce": 1000, "sandboxMemoryMb": 1000000}'`,
  )
  scene.chat.answer(obey)
}, 300_000)
afterAll(() => scene.close())

/** What a turn is asked to do: so many calls, one after the other, each counted outside under its name. */
interface Order {
  name: string
  kind: 'bash' | 'fetch' | 'program' | 'asking-program'
  /** The agent that does it, where the one that is told asks another. */
  by?: 'asker' | 'counter'
  /** Where a program waits for the others. */
  at?: number
}

/** Where the model stops before its next words, by the name of the order. */
interface Gate {
  /** So many calls are done. */
  at: number
  arrived(): void
  /** Opens when all have arrived, or never. */
  opens: Promise<void>
}
const gates = new Map<string, Gate>()

const url = (name: string, step: number | string) => `${scene.counter.url}/${name}/${step}`
const curl = (name: string, step: number | string) => `curl -s ${url(name, step)}`
const gatePath = (name: string) => `/gate/${name}`

async function obey({ messages, tools }: ChatRequest): Promise<ChatReply> {
  const asked = messages.find(({ role }) => role === 'user')?.content
  const text = typeof asked === 'string' ? asked : JSON.stringify(asked)
  const order = JSON.parse(/\{.*\}/.exec(text.replaceAll('\\', ''))?.[0] ?? '{}') as Order
  const { name, kind } = order
  const done = messages.filter(({ role }) => role === 'tool').length
  if (tools.some((tool) => tool.function.name === `ask_${order.by}`)) {
    const call = { id: 'call_0', name: `ask_${order.by}`, arguments: { question: text } }
    return done > 0 ? { text: 'It did.' } : { calls: [call] }
  }
  const gate = gates.get(name)
  if (gate?.at === done) {
    gate.arrived()
    await gate.opens
  }
  if (kind === 'program' || kind === 'asking-program') {
    return done > 0
      ? { text: 'All done.' }
      : { calls: [{ id: 'call_0', name: 'run_program', arguments: { code: program(order) } }] }
  }
  if (done >= steps) return { text: 'All done.' }
  const call =
    kind === 'fetch'
      ? { name: 'fetch_url', arguments: { url: url(name, done) } }
      : { name: 'bash', arguments: { command: curl(name, done), timeoutSeconds: 300 } }
  return { calls: [{ id: `call_${done}`, ...call }] }
}

/** The same from one program; one that asks reads a page first, which takes an approval. */
function program({ name, kind, at }: Order): string {
  const asks = kind === 'asking-program' ? `await T.fetch_url({ url: '${url(name, 'asked')}' })` : ''
  const waits = `while (!(await T.fetch_url({ url: '${scene.counter.url}${gatePath(name)}' })).text.endsWith('open')) {}`
  return `export default async ({ TOOLS: T }) => {
    const drawn = [Math.random(), Date.now()]
    for (let step = 0; step < ${steps}; step++) {
      if (step === ${Math.floor(steps / 2)}) { ${asks} }
      if (step === ${at ?? -1}) { ${waits} }
      await T.bash({ command: '${curl(name, '')}' + step + ' # ' + drawn, timeoutSeconds: 300 })
    }
  }`
}

async function startBoth(): Promise<void> {
  await Promise.all([0, 1].filter((index) => !scene.isUp(index)).map((index) => scene.start(index)))
}

interface Dying extends Order {
  at: number
  /** `after`: the calls before are done. `inside`: the effect is there, its call is not over. `unrecorded`: it is over, with no record. */
  moment: 'after' | 'inside' | 'unrecorded'
}

interface Begun extends Dying {
  threadId: string
  turnId: string
  /** It is at the step it dies in. */
  arrived: Promise<void>
  /** Its effect has come to the counter. */
  hit: Promise<void>
  /** Has the counter answer. */
  letGo(): void
}

const pathOf = ({ name }: Pick<Order, 'name'>, step: number | string) => `/${name}/${step}`

async function begin(dying: Dying, server: number, together: Promise<void>): Promise<Begun> {
  const { name, kind, by, at, moment } = dying
  const arrived = Promise.withResolvers<void>()
  const hit = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<boolean>()
  const opens = moment === 'after' ? new Promise<void>(() => undefined) : together
  if (kind === 'program') {
    // no model is asked in the middle of it
    const gate = scene.counter.gate(gatePath(name))
    void gate.arrived.then(arrived.resolve)
    void opens.then(gate.open)
  } else gates.set(name, { at, arrived: arrived.resolve, opens })
  scene.counter.onHit(pathOf(dying, at), () => {
    hit.resolve()
    return moment === 'after' ? true : answered.promise
  })
  const begun = await scene.ask(by ? 'boss' : 'counter', JSON.stringify({ name, kind, by, at }), server)
  const letGo = () => answered.resolve(true)
  return { ...dying, ...begun, arrived: arrived.promise, hit: hit.promise, letGo }
}

/**
 * Brings all of them to their places in a server that is alone, starts another one and kills the first. Of two servers
 * either may take a turn up.
 */
async function dieTogether(all: Dying[], victim: number): Promise<Begun[]> {
  const together = Promise.withResolvers<void>()
  await scene.kill(1 - victim)
  if (!scene.isUp(victim)) await scene.start(victim)
  const begun = await Promise.all(all.map((dying) => begin(dying, victim, together.promise)))
  await Promise.all(begun.map(({ arrived }) => arrived))
  await scene.start(1 - victim)
  together.resolve()
  await Promise.all(begun.filter(({ moment }) => moment !== 'after').map(({ hit }) => hit))
  const effects = begun.filter(({ moment }) => moment === 'unrecorded')
  const records = await scene.holdRecords(effects.map(({ turnId }) => turnId))
  for (const { letGo } of effects) letGo()
  await records.blocked()
  // whoever takes them up finds no gate
  gates.clear()
  await scene.kill(victim)
  await records.release()
  return begun
}

/** The turn goes on by itself, or asks whether its call is to be made again: nothing is done twice unasked. */
async function goesOn(begun: Begun, decision: 'approve' | 'reject'): Promise<void> {
  const { turnId, threadId, at, kind, by, moment } = begun
  const paths = range(steps).map((step) => pathOf(begun, step))
  const before = paths.slice(0, at)
  const [died = '', ...rest] = paths.slice(at)
  const hits = () => scene.counter.of(pathOf(begun, ''))
  if (moment === 'after' || kind === 'fetch') {
    const { steps: taken, use } = await scene.until(turnId, 'done')
    // what only reads is done again
    expect(hits()).toEqual([...before, ...(moment === 'after' ? [] : [died]), died, ...rest])
    expect(taken.map(({ number }) => number)).toEqual(range(steps + 1).map((step) => step + 1))
    expect(use.inputTokens).toBe((steps + 1) * 100)
    return
  }
  await scene.until(turnId, 'waiting')
  expect(hits()).toEqual([...before, died])
  const asked = await scene.pending(threadId)
  const via = kind === 'program' ? ['run_program'] : by ? ['boss'] : []
  expect(asked).toEqual([expect.objectContaining({ kind: 'repeat', tool: 'bash', via })])
  await scene.decide(asked[0], decision)
  await scene.until(turnId, 'done')
  const isGivenUp = kind === 'program' && decision === 'reject'
  const again = decision === 'approve' ? [died] : []
  expect(hits()).toEqual([...before, died, ...again, ...(isGivenUp ? [] : rest)])
}

/** The timeline of a turn shows that its server was lost, and that another one went on within half a minute. */
async function expectTakenUp(
  turnId: string,
  { victim, killedAt }: { victim: number; killedAt: number },
): Promise<void> {
  const { phases } = await scene.call(1 - victim)(routes.executions.timeline, { params: { id: turnId } })
  expect(phases.map(({ status, server, isLost }) => [status, server, isLost])).toEqual([
    ['queued', null, false],
    ['running', 1, true],
    ['queued', null, false],
    ['running', 2, false],
  ])
  expect(Date.parse(phases[3]?.startedAt ?? '') - killedAt).toBeLessThan(30_000)
}

const kinds: Pick<Dying, 'kind' | 'moment' | 'by'>[] = [
  { kind: 'bash', moment: 'after' },
  { kind: 'bash', moment: 'inside' },
  { kind: 'bash', moment: 'unrecorded' },
  // [approvals.7] what an agent did that another one asked
  { kind: 'bash', moment: 'inside', by: 'counter' },
  { kind: 'fetch', moment: 'inside' },
  { kind: 'program', moment: 'inside' },
  { kind: 'program', moment: 'unrecorded' },
]

describe('[turns.8] turns whose server is killed', () => {
  test.each(
    isLong
      ? kinds.map((one) => ({
          died: `${one.kind} ${one.moment}${one.by ? ' by an agent that was asked' : ''}`,
          chosen: [one],
        }))
      : [{ died: 'all kinds', chosen: kinds }],
  )(
    'go on in another server at the step they were at, and repeat no call that was done: $died',
    longest,
    async ({ chosen }) => {
      for (const round of range(rounds)) {
        const victim = round % 2
        const all = chosen.flatMap((one) =>
          places.map((at) => ({ ...one, at, name: `${one.kind}-${one.moment}-${one.by ?? 'alone'}-${round}-${at}` })),
        )
        const begun = await dieTogether(all, victim)
        const killedAt = Date.now()
        await scene.endLeases(begun.map(({ turnId }) => turnId))
        const alone = begun.find(({ moment }) => moment === 'after')
        if (alone) {
          await scene.until(alone.turnId, 'done')
          await expectTakenUp(alone.turnId, { victim, killedAt })
        }
        await Promise.all(begun.map((one) => goesOn(one, (one.at + round) % 2 === 0 ? 'approve' : 'reject')))
      }
      await startBoth()
    },
  )

  it('outlive it while their program waits for a person, and while it runs again after the answer', async () => {
    await startBoth()
    const name = 'asking'
    const middle = Math.floor(steps / 2)
    const { turnId, threadId } = await scene.ask('asker', JSON.stringify({ name, kind: 'asking-program' }), 0)
    await scene.until(turnId, 'waiting')
    const before = range(middle).map((step) => pathOf({ name }, step))
    expect(scene.counter.of(`/${name}/`)).toEqual(before)
    await scene.kill(0)
    const restart = scene.start(0)
    const died = pathOf({ name }, middle)
    const bothDied = Promise.withResolvers<void>()
    scene.counter.onHit(died, async () => {
      await restart
      await scene.kill(0)
      await scene.kill(1)
      bothDied.resolve()
      return false
    })
    const [asked] = await scene.pending(threadId)
    expect(asked).toMatchObject({ kind: 'call', tool: 'fetch_url', via: ['run_program'] })
    await scene.decide(asked, 'approve')
    // one that is still dying has its data directory
    await bothDied.promise
    await Promise.all([scene.start(0), scene.start(1)])
    await scene.until(turnId, 'waiting')
    expect(scene.counter.of(`/${name}/`)).toEqual([...before, pathOf({ name }, 'asked'), died])
    const [repeat] = await scene.pending(threadId)
    expect(repeat).toMatchObject({ kind: 'repeat', tool: 'bash' })
    await scene.decide(repeat, 'approve')
    await scene.until(turnId, 'done')
    const rest = range(steps).slice(middle + 1)
    expect(scene.counter.of(`/${name}/`)).toEqual([
      ...before,
      pathOf({ name }, 'asked'),
      ...[died, died],
      ...rest.map((step) => pathOf({ name }, step)),
    ])
  }, 300_000)
})

// a lease has to run out first
test.runIf(isLong)(
  '[turns.8] with the settings of an installation a turn goes on elsewhere within half a minute',
  longest,
  async () => {
    const dying: Dying = { name: 'installed', kind: 'bash', moment: 'after', at: 1 }
    const [begun] = await dieTogether([dying], 0)
    const killedAt = Date.now()
    await scene.until(begun?.turnId ?? '', 'done')
    await expectTakenUp(begun?.turnId ?? '', { victim: 0, killedAt })
    await startBoth()
  },
)

test('[turns.12] a message that waits when its server is killed is heard once, by the turn or after it', async () => {
  const told = Promise.withResolvers<void>()
  const isOver = (messages: ChatRequest['messages']) => messages.some(({ role }) => role === 'tool')
  let never = true
  scene.chat.answer(async ({ messages }) => {
    told.resolve()
    // the server that asked is killed
    if (never) await new Promise(() => undefined)
    return isOver(messages)
      ? { text: 'Heard.' }
      : { calls: [{ id: 'call_0', name: 'bash', arguments: { command: 'true' } }] }
  })
  const { threadId, turnId } = await scene.ask('counter', 'Begin', 0)
  await told.promise
  const params = { id: threadId }
  const say = (text: string) => scene.call(0)(routes.threads.turn, { params, query: { wait: 'false' }, body: { text } })
  const { queued } = await say('Steer')
  expect(queued?.text).toBe('Steer')
  await scene.kill(0)
  never = false
  await scene.endLeases([turnId])
  await scene.until(turnId, 'done')
  // and one whose turn had ended: its server was lost before it began the next
  await scene.superuser.query(
    `INSERT INTO coherex.queued_message (team_id, id, thread_id, parts, person_id, person_name, acting)
     SELECT team_id, 'msg_00000000000000000000', thread_id, '[{"type":"text","text":"Later"}]', person_id, person_name, acting
     FROM coherex.turn WHERE id = $1`,
    [turnId],
  )
  const get = () => scene.call(1)(routes.threads.get, { params })
  await expect.poll(async () => JSON.stringify((await get()).messages).includes('Later'), longest).toBe(true)
  await expect.poll(async () => (await get()).activity, longest).toBe('idle')
  const { messages, queued: left } = await get()
  expect(left).toEqual([])
  expect(JSON.stringify(messages).match(/Steer|Later/g)).toEqual(['Steer', 'Later'])
  const last = JSON.stringify(scene.chat.requests.findLast(({ tools }) => tools.length > 0)?.messages)
  expect(last.match(/Steer|Later/g)).toEqual(['Steer', 'Later'])
  scene.chat.answer(obey)
  await scene.start(0)
}, 300_000)

test('[turns.11] a turn that lost its server again and again ends with that reason, and asks nothing more', async () => {
  await startBoth()
  const { turnId, threadId } = await scene.ask('asker', JSON.stringify({ name: 'lost', kind: 'fetch' }), 0)
  await scene.until(turnId, 'waiting')
  await scene.superuser.query(
    `UPDATE coherex.turn SET status = 'running', server_id = 'gone', failures = 4, lease_until = now() WHERE id = $1`,
    [turnId],
  )
  const { ending } = await scene.until(turnId, 'failed')
  expect(ending).toMatchObject({ kind: 'interrupted', message: expect.stringContaining('5 times in a row') })
  expect(await scene.pending(threadId)).toEqual([])

  const { items } = await scene.call(0)(routes.executions.list, { query: { status: 'dead' } })
  expect(items).toMatchObject([{ id: turnId, status: 'failed', isDead: true, reason: ending?.message }])
  const retried = await scene.call(0)(routes.executions.retry, { params: { id: turnId }, body: {} })
  expect(await scene.until(retried.id, 'waiting')).toMatchObject({
    threadId,
    retryOf: turnId,
    startedBy: { kind: 'key' },
  })
  await scene.call(0)(routes.threads.stop, { params: { id: retried.id } })
}, 300_000)

test('[turns.5] whoever heard more than a server stored before it died hears the step anew, and misses nothing of it', async () => {
  await startBoth()
  await scene.kill(1)
  const dies = range(400).map((at) => `lost${at} `)
  const replies = [
    { text: 'First. ', calls: [{ id: 'call_nap', name: 'sleep', arguments: { for: '1s' } }] },
    { text: dies.join(''), betweenMs: 100 },
  ]
  const isHeardAgain = Promise.withResolvers<void>()
  scene.chat.answer(async () => {
    const before = replies.shift()
    if (before) return before
    await isHeardAgain.promise
    return { text: 'one two three four five six seven eight nine ten' }
  })
  const { turnId, threadId } = await scene.ask('single', 'Go', 0)
  let last = ''
  let steps: string[] = []
  /** Reads as a client does, until it hears the word, or the end. */
  const listen = async (server: number, { until, onOpen }: { until?: string; onOpen?: () => Promise<void> }) => {
    const response = await scene.listen(server, threadId, last)
    await onOpen?.()
    if (!response.body) return
    for await (const { id, data } of readEvents(response.body)) {
      if (data === '[DONE]') return
      last = id
      const chunk = JSON.parse(data) as { type: string; delta?: string; data?: { steps: number } }
      if (chunk.type === 'data-restart') steps = steps.slice(0, chunk.data?.steps)
      if (chunk.type === 'start-step') steps.push('')
      if (chunk.type === 'text-delta') steps.push(`${steps.pop()}${chunk.delta}`)
      if (until && steps.at(-1)?.includes(until)) return
    }
  }
  const heard = () => listen(0, { until: 'lost20 ' }).then(() => steps.join())
  await expect.poll(heard, { timeout: 60_000 }).toContain('lost20 ')
  await scene.kill(0)
  await scene.start(1)
  // the stream is open before anything is said anew
  await listen(1, {
    onOpen: async () => {
      await scene.endLeases([turnId])
      isHeardAgain.resolve()
    },
  })
  await scene.until(turnId, 'done')
  expect(steps).toEqual(['First. ', 'one two three four five six seven eight nine ten'])
}, 300_000)

describe('[turns.9] a turn that rests', () => {
  beforeAll(startBoth, 300_000)

  it('waits in a queue when its agent has as many turns as it may, and says where', async () => {
    scene.chat.answer([{ hangs: true }])
    const first = await scene.ask('single', 'Go', 0)
    await scene.until(first.turnId, 'running')
    const second = await scene.ask('single', 'Go', 0)
    const third = await scene.ask('single', 'Go', 1)
    const get = (id: string) => scene.call(0)(routes.threads.getTurn, { params: { id } })
    const positions = await Promise.all([second, third].map(({ turnId }) => get(turnId)))
    expect(positions.map(({ status, position }) => [status, position])).toEqual([
      ['queued', 1],
      ['queued', 2],
    ])
    scene.chat.answer([{ text: 'My turn.' }])
    await scene.call(0)(routes.threads.stop, { params: { id: first.turnId } })
    await scene.until(second.turnId, 'done')
    await scene.until(third.turnId, 'done')
  }, 300_000)

  it('[approvals.7] sleeps without a process, or waits for what is asked by an agent that it asked, while every server is stopped and started', async () => {
    const nap = { calls: [{ id: 'call_nap', name: 'sleep', arguments: { for: '1h' } }] }
    scene.chat.answer((request) => {
      const isNap = !JSON.stringify(request.messages).includes('asked')
      const isOver = request.messages.some(({ role }) => role === 'tool')
      return isNap ? (isOver ? { text: 'Awake.' } : nap) : obey(request)
    })
    const asking = await scene.ask('boss', JSON.stringify({ name: 'asked', kind: 'fetch', by: 'asker' }), 0)
    await scene.until(asking.turnId, 'waiting')
    const sleeping = await scene.ask('single', 'Sleep', 1)
    const { wakesAt } = await scene.until(sleeping.turnId, 'sleeping')
    expect(Date.parse(wakesAt ?? '')).toBeGreaterThan(Date.now() + 50 * 60_000)
    await Promise.all([scene.kill(0, 'SIGTERM'), scene.kill(1)])
    // its time comes while no server runs
    await scene.superuser.query(`UPDATE coherex.turn SET not_before = now() WHERE id = $1`, [sleeping.turnId])
    await scene.superuser.query(`UPDATE coherex.turn_call SET wake_at = now() WHERE turn_id = $1`, [sleeping.turnId])
    await Promise.all([scene.start(0), scene.start(1)])
    await scene.until(sleeping.turnId, 'done')
    const { messages } = await scene.call(1)(routes.threads.get, { params: { id: sleeping.threadId } })
    expect(JSON.stringify(messages.at(-1)?.parts)).toContain('You slept.')
    for (const step of range(steps)) {
      await scene.until(asking.turnId, 'waiting')
      expect(scene.counter.of('/asked/')).toHaveLength(step)
      await expect
        .poll(() => scene.pending(asking.threadId), longest)
        .toMatchObject([{ agent: 'asker', via: ['boss'] }])
      const [asked] = await scene.pending(asking.threadId)
      await scene.decide(asked, 'approve')
      await expect.poll(() => scene.counter.of('/asked/').length, longest).toBe(step + 1)
    }
    await scene.until(asking.turnId, 'done')
    expect(scene.counter.of('/asked/')).toEqual(range(steps).map((step) => pathOf({ name: 'asked' }, step)))
  }, 300_000)
})
