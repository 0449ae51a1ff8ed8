import { describe, expect, test } from 'vitest'
import { RunQueue, type QueueEntry } from './run-queue.ts'

interface Job extends QueueEntry {
  name: string
  end(): Promise<void>
}

const roomy = { waitingBytes: Infinity, waitingBytesPerTeam: Infinity }

function createJobs() {
  const started: string[] = []
  const job = (name: string, teamId: string, personId = teamId, teamSlots = 10): Job => {
    const gate = Promise.withResolvers<void>()
    return {
      name,
      teamId,
      personId,
      teamSlots,
      bytes: 0,
      work() {
        started.push(name)
        return gate.promise
      },
      async end() {
        gate.resolve()
        await new Promise((resolve) => setImmediate(resolve))
      },
    }
  }
  return { started, job }
}

describe('RunQueue', () => {
  test('lets teams take turns, however many runs one of them has waiting', async () => {
    const { started, job } = createJobs()
    const queue = new RunQueue({ ...roomy, slots: 1, waiting: 100, waitingPerTeam: 100 })
    const jobs = [job('a1', 'a'), job('a2', 'a'), job('a3', 'a'), job('b1', 'b'), job('c1', 'c')]
    for (const one of jobs) queue.add(one)
    for (let turn = 0; turn < 5; turn++) await jobs.find((one) => one.name === started.at(-1))?.end()
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
  })

  test('refuses large runs where as much waits already, and takes one that finds nobody waiting', async () => {
    const { job } = createJobs()
    const limits = { slots: 1, waiting: 100, waitingPerTeam: 100, waitingBytes: 25, waitingBytesPerTeam: 15 }
    const queue = new RunQueue(limits)
    const sized = (name: string, team: string, bytes: number) => ({ ...job(name, team), bytes })
    const [first, second] = [sized('a1', 'a', 10), sized('a2', 'a', 10)]
    queue.add(first)
    queue.reserve('a', 20)()
    queue.add(second)
    expect(() => queue.reserve('a', 6)).toThrow('their programs are large')
    const giveUp = queue.reserve('a', 5)
    expect(() => queue.reserve('a', 1)).toThrow('their programs are large')
    giveUp()
    queue.add(sized('b1', 'b', 10))
    expect(() => queue.reserve('b', 10)).toThrow('their programs are large')
    queue.add(sized('c1', 'c', 4))
    expect(() => queue.reserve('c', 5)).toThrow('too many large runs waiting')
    queue.remove(second)
    queue.reserve('a', 15)()
  })

  test('lets people of one team take turns', async () => {
    const { started, job } = createJobs()
    const queue = new RunQueue({ ...roomy, slots: 1, waiting: 100, waitingPerTeam: 100 })
    const jobs = [job('ann1', 't', 'ann'), job('ann2', 't', 'ann'), job('ann3', 't', 'ann'), job('bob1', 't', 'bob')]
    for (const one of jobs) queue.add(one)
    for (let turn = 0; turn < 4; turn++) await jobs.find((one) => one.name === started.at(-1))?.end()
    expect(started).toEqual(['ann1', 'bob1', 'ann2', 'ann3'])
  })

  test('works at one entry of a lane at a time, and those behind it keep no slot from others', async () => {
    const { started, job } = createJobs()
    const queue = new RunQueue({ ...roomy, slots: 2, waiting: 100, waitingPerTeam: 100 })
    const cells = ['x1', 'x2', 'x3'].map((name) => ({ ...job(name, 't'), lane: 'x' }))
    const other = job('other', 't')
    for (const one of [...cells, other]) queue.add(one)
    expect(started).toEqual(['x1', 'other'])
    expect(queue.remove(cells[1] as Job)).toBe(true)
    await other.end()
    expect(started).toEqual(['x1', 'other'])
    await cells[0]?.end()
    expect(started).toEqual(['x1', 'other', 'x3'])
  })

  test('gives a team no more slots than its quota, and the rest to others', async () => {
    const { started, job } = createJobs()
    const queue = new RunQueue({ ...roomy, slots: 5, waiting: 100, waitingPerTeam: 100 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add(job(name, 'a', 'a', 2))
    queue.add(job('b1', 'b', 'b', 2))
    expect(started).toEqual(['a1', 'a2', 'b1'])
    expect(queue.load).toEqual({ running: 3, waiting: 2 })
  })

  test('gives the slot of a run that waits for what it called to that, however many such runs there are', async () => {
    const { started, job } = createJobs()
    const queue = new RunQueue({ ...roomy, slots: 2, waiting: 100, waitingPerTeam: 100 })
    const callers = ['p1', 'p2', 'p3'].map((name) => ({ ...job(name, 't'), isCaller: true }))
    const [p1, p2, p3] = callers as [Job, Job, Job]
    for (const one of callers) queue.add(one)
    expect(started).toEqual(['p1', 'p2'])
    queue.rest(p1)
    queue.rest(p2)
    // a third one would only wait as well
    expect(started).toEqual(['p1', 'p2'])
    const called = job('called', 't')
    queue.add(called)
    expect(started).toEqual(['p1', 'p2', 'called'])
    expect(queue.load).toEqual({ running: 3, waiting: 1 })
    await called.end()
    queue.wake(p1)
    await p1.end()
    expect(started).toEqual(['p1', 'p2', 'called', 'p3'])
    // one that ends while it rests, and hears its answer later
    await p2.end()
    queue.wake(p2)
    queue.rest(p2)
    await p3.end()
    expect(queue.load).toEqual({ running: 0, waiting: 0 })
  })

  test('counts those that rest for their packages against nobody', () => {
    const { started, job } = createJobs()
    const queue = new RunQueue({ ...roomy, slots: 1, waiting: 100, waitingPerTeam: 100 })
    const [p1, p2] = ['p1', 'p2'].map((name) => ({ ...job(name, 't', 't', 1), isCaller: true })) as [Job, Job]
    for (const one of [p1, p2]) queue.add(one)
    expect(started).toEqual(['p1'])
    queue.rest(p1, 'packages')
    expect(started).toEqual(['p1', 'p2'])
  })

  test('counts the callers of a team that rest against its quota', async () => {
    const { started, job } = createJobs()
    const queue = new RunQueue({ ...roomy, slots: 5, waiting: 100, waitingPerTeam: 100 })
    const callers = ['p1', 'p2'].map((name) => ({ ...job(name, 't', 't', 1), isCaller: true }))
    const [p1, p2] = callers as [Job, Job]
    for (const one of [p1, p2]) queue.add(one)
    queue.rest(p1)
    expect(started).toEqual(['p1'])
    await p1.end()
    expect(started).toEqual(['p1', 'p2'])
  })

  test('refuses before it accepts when a team or the machine has too many waiting', () => {
    const { job } = createJobs()
    const queue = new RunQueue({ ...roomy, slots: 1, waiting: 3, waitingPerTeam: 2 })
    for (const name of ['a1', 'a2', 'a3']) queue.add(job(name, 'a'))
    expect(() => queue.reserve('a', 0)).toThrow('The team has 2 runs waiting already')
    const giveUp = queue.reserve('b', 0)
    expect(() => queue.reserve('c', 0)).toThrow('too many runs waiting')
    giveUp()
    queue.reserve('c', 0)()
    queue.add(job('b1', 'b'))
    expect(() => queue.reserve('c', 0)).toThrow('too many runs waiting')
  })

  test('tells positions and takes out what has not started', async () => {
    const { started, job } = createJobs()
    const queue = new RunQueue({ ...roomy, slots: 1, waiting: 10, waitingPerTeam: 10 })
    const [first, second, third, other] = [
      job('1', 't', 'ann'),
      job('2', 't', 'ann'),
      job('3', 't', 'ann'),
      job('4', 't', 'bob'),
    ] as const
    for (const one of [first, second, third, other]) queue.add(one)
    expect([second, third, other].map((one) => queue.position(one))).toEqual([0, 2, 0])
    expect(queue.remove(second)).toBe(true)
    expect(queue.remove(first)).toBe(false)
    await first.end()
    await other.end()
    await third.end()
    expect(started.toSorted()).toEqual(['1', '3', '4'])
    expect(queue.load).toEqual({ running: 0, waiting: 0 })
  })

  test('accepts nothing once it is closed', () => {
    const queue = new RunQueue({ ...roomy, slots: 1, waiting: 10, waitingPerTeam: 10 })
    queue.close()
    expect(() => queue.reserve('a', 0)).toThrow('stopping')
  })
})
