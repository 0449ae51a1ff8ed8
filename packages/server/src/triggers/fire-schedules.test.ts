import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createKeyRing } from '../access/index.ts'
import { startTestWorkspaces, type TestWorkspaces } from '../workspaces/test-workspaces.ts'
import { fireSchedules } from './fire-schedules.ts'
import { pruneDeliveries } from './prune-deliveries.ts'
import { Triggers } from './triggers.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.parse('2026-11-16T10:00:30Z')

let store: TestWorkspaces
let lastSweep: number | undefined

beforeAll(async () => {
  store = await startTestWorkspaces()
})
afterAll(() => store.stop())
beforeEach(async () => {
  lastSweep = undefined
  await run(sql`DELETE FROM coherex.delivery`)
  await run(sql`DELETE FROM coherex.agent`)
  await run(sql`INSERT INTO coherex.agent (team_id, name, status, version, created_by, created_by_name)
    VALUES (${store.teamId}, 'clock', 'active', 1, 'per_anna', 'Anna')`)
  await run(sql`
    INSERT INTO coherex.trigger (team_id, id, agent_name, name, kind, definition, person_id, person_name, acting, next_at)
    VALUES (${store.teamId}, 'trg_clock', 'clock', 'schedule-1', 'schedule', '{"schedule":"*/5 * * * *"}',
      'per_anna', 'Anna', '{}', '2026-11-16T10:05:00Z')`)
})

const run = (statement: ReturnType<typeof sql>) =>
  store.database.transaction({ team: store.teamId }, (transaction) => transaction.execute(statement))

/** As the server looks: from the start, and again when the clock went back. */
async function sweep(now: number): Promise<number> {
  const looksBack = lastSweep === undefined || now < lastSweep
  lastSweep = now
  return fireSchedules(store.database, store.teamId, { now: new Date(now), looksBack })
}

async function firedTimes(): Promise<string[]> {
  const { rows } = await run(sql`SELECT key FROM coherex.delivery ORDER BY key`)
  return rows.map((row) =>
    String(row['key'])
      .replace(/^time 2026-11-16T/, '')
      .slice(0, 5),
  )
}

async function sweepBetween(from: number, to: number): Promise<number> {
  let fired = 0
  for (let now = from; now <= to; now += minute) fired += await sweep(now)
  return fired
}

test('each time fires once, with two processes looking at the same moment', async () => {
  const looks = Array.from({ length: 8 }, () =>
    fireSchedules(store.database, store.teamId, { now: new Date(start + 5 * minute), looksBack: false }),
  )
  expect((await Promise.all(looks)).reduce((sum, one) => sum + one, 0)).toBe(1)
  expect(await sweepBetween(start + 5 * minute, start + 20 * minute)).toBe(3)
  expect(await firedTimes()).toEqual(['10:05', '10:10', '10:15', '10:20'])
})

test('[Q04] times that were missed collapse to one', async () => {
  await sweep(start)
  expect(await sweep(start + 3 * hour)).toBe(1)
  expect(await sweep(start + 3 * hour + minute)).toBe(0)
  expect(await firedTimes()).toEqual(['10:05'])
})

test('a clock that jumps an hour ahead and back fires nothing twice, and goes on', async () => {
  await sweepBetween(start, start + 10 * minute)
  expect(await sweep(start + hour + 11 * minute)).toBe(1)
  expect(await sweepBetween(start + 11 * minute, start + 30 * minute)).toBe(3)
  expect(await firedTimes()).toEqual(['10:05', '10:10', '10:15', '10:20', '10:25', '10:30'])
})

test('a clock that is set back an hour repeats none of that hour', async () => {
  await sweepBetween(start, start + hour)
  const before = await firedTimes()
  expect(before).toHaveLength(12)
  expect(await sweepBetween(start, start + hour)).toBe(0)
  expect(await sweepBetween(start + hour + minute, start + hour + 6 * minute)).toBe(1)
})

test('a clock that is 400 days ahead for a while fires once, and the schedule is not silent for a year after', async () => {
  await sweep(start)
  expect(await sweep(start + 400 * day)).toBe(1)
  expect(await sweepBetween(start + 5 * minute, start + 16 * minute)).toBe(2)
  // the one that fired early does not fire again
  expect(await firedTimes()).toEqual(['10:05', '10:10', '10:15'])
})

test('a clock that jumps 400 days ahead during a look, and is back at the next, silences nothing', async () => {
  let time = start
  let timeOnceRead = start
  const clock = () => {
    const read = time
    time = timeOnceRead
    return read
  }
  const { database, workspaces } = store
  const events = { publish: async () => undefined, subscribe: () => () => undefined, close: async () => undefined }
  const turns = { say: async () => ({}) as never, due: async () => undefined }
  const keyRing = createKeyRing('the key of the installation')
  const tools = { call: async () => ({}) as never }
  const rooms = { database, workspaces, events, turns, tools, keyRing, log: pino({ level: 'silent' }) }
  const triggers = new Triggers({ ...rooms, clock, publicUrl: '', leaseSeconds: 600 })
  await triggers.sweep()
  time = start + minute
  timeOnceRead = start + 400 * day
  await triggers.sweep()
  time = timeOnceRead = start + 2 * minute
  await triggers.sweep()
  await triggers.close()
  const { rows } = await run(sql`SELECT next_at <= '2026-11-16T10:05:00Z'::timestamptz AS soon FROM coherex.trigger`)
  expect(rows).toEqual([{ soon: true }])
})

test('what was delivered stays when nothing came for long, and goes when newer things are long past it', async () => {
  await sweep(start + 5 * minute)
  await run(sql`UPDATE coherex.delivery SET status = 'started', received_at = now() - interval '500 days'`)
  await pruneDeliveries(store.database)
  expect(await firedTimes()).toHaveLength(1)
  await sweep(start + 10 * minute)
  await pruneDeliveries(store.database)
  expect(await firedTimes()).toEqual(['10:10'])
})

test('the schedule of an agent that is paused does not fire', async () => {
  await run(sql`UPDATE coherex.agent SET status = 'paused'`)
  expect(await sweep(start + 5 * minute)).toBe(0)
})
