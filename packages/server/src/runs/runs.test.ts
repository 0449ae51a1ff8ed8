import { setImmediate } from 'node:timers/promises'
import type { Run } from '@coherex/contract'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import type { TeamCaller } from '../access/index.ts'
import { Runs, type RunsDeps } from './runs.ts'

afterEach(() => vi.useRealTimers())

interface World {
  runsAtOnce?: number
  call?: () => Promise<void>
}

function createRuns(world: World) {
  return startOn(openRuns(world))
}

function openRuns({ runsAtOnce = 1, call = async () => undefined }: World) {
  const deps = {
    log: pino({ level: 'silent' }),
    serverId: 'server_1',
    database: { call, transaction: async () => undefined },
    events: { publish: async () => undefined, subscribe: () => () => undefined },
    allowances: {
      of: async () => ({ quotas: { runsAtOnce, runSecondsPerDay: 100 }, usedSeconds: 0, storedMb: 0 }),
      count: async () => undefined,
    },
    router: { choose: () => ({}), runtimes: [] },
  } as unknown as RunsDeps
  // their turn never comes
  return new Runs(deps, {
    slots: 0,
    waiting: 3,
    waitingPerTeam: 2,
    waitingBytes: Infinity,
    waitingBytesPerTeam: Infinity,
  })
}

const callerOf = (teamId: string): TeamCaller => ({
  ...{ teamId, role: 'editor', setupDone: true, via: 'key', credentialId: 'key_1', scopes: ['run'] },
  ...{ ip: null, requestId: null },
  person: { id: 'person_1', name: 'Ann', email: 'ann@example.com', operator: false },
})

function startOn(runs: Runs) {
  return (teamId: string) => {
    const started = runs.start(callerOf(teamId), { language: 'python', code: '1' })
    return started.then(
      () => 'accepted',
      (error: Error) => error.message,
    )
  }
}

test('start() has nothing of a run begin before onAccepted has ended, and cancels it where that throws', async () => {
  const runs = openRuns({})
  const asked = { language: 'python' as const, code: '1' }
  let seen: Run['status'] | undefined
  const live = await runs.start(callerOf('a'), asked, { onAccepted: async () => void (seen = 'queued') })
  expect([seen, live.run.status]).toEqual(['queued', 'queued'])
  const refuse = () => Promise.reject(new Error('another has it'))
  // three may wait: one that was refused takes no place
  for (let at = 0; at < 4; at++)
    await expect(runs.start(callerOf('b'), asked, { onAccepted: refuse })).rejects.toThrow('another has it')
})

test('start() accepts no more runs than may wait, when they come while others are still being recorded', async () => {
  const recorded = Promise.withResolvers<void>()
  const start = createRuns({ call: () => recorded.promise })
  const verdicts = ['a', 'a', 'a', 'b', 'c'].map(start)
  await setImmediate()
  recorded.resolve()
  expect(await Promise.all(verdicts)).toEqual([
    'accepted',
    'accepted',
    'The team has 2 runs waiting already',
    'accepted',
    'The machine has too many runs waiting',
  ])
})

test('start() keeps no place for a run that was refused', async () => {
  const start = createRuns({ runsAtOnce: 0 })
  const verdicts = [await start('a'), await start('a'), await start('a'), await start('a')]
  expect(new Set(verdicts)).toEqual(new Set([expect.stringContaining('quota')]))
})

/** Two runs that wait, on a database whose disk is full from now on. */
async function fillDisk() {
  let isFull = false
  const runs = openRuns({
    call: async () => {
      if (isFull) throw Object.assign(new Error('No space left on device'), { code: '53100' })
    },
  })
  const ids: string[] = []
  const ended: Promise<Run>[] = []
  for (const team of ['a', 'b']) {
    const live = await runs.start(callerOf(team), { language: 'python', code: '1' })
    ids.push(live.id)
    ended.push(live.ended)
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  isFull = true
  const minute = () => vi.advanceTimersByTimeAsync(60_000)
  return { runs, start: startOn(runs), ids, ended, minute, free: () => (isFull = false) }
}

test('a run whose end cannot be written for long ends as it did once it can, and none is accepted meanwhile', async () => {
  const { runs, start, ids, minute, free } = await fillDisk()
  const cancelled = runs.cancel(callerOf('a'), ids[0] ?? '')
  await minute()
  expect(await start('c')).toBe('Runs cannot be recorded right now: try again')
  free()
  await minute()
  expect((await cancelled).status).toBe('cancelled')
  expect(await start('c')).toBe('accepted')
})

test('close() ends what waits, and says that it was the server and nobody who cancelled it', async () => {
  const runs = openRuns({})
  const { ended } = await runs.start(callerOf('a'), { language: 'python', code: '1' })
  await runs.close()
  expect(await ended).toMatchObject({
    status: 'cancelled',
    error: { kind: 'cancelled', message: 'The server was stopped before the run began' },
  })
})

test('close() waits for no database that stays away, and whoever waits for a run is told', async () => {
  const { runs, ended, minute } = await fillDisk()
  let isClosed = false
  void runs.close().then(() => (isClosed = true))
  await minute()
  expect(isClosed).toBe(true)
  for (const run of await Promise.all(ended))
    expect(run).toMatchObject({ status: 'failed', error: { kind: 'internal' } })
})
