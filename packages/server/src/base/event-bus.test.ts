import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database/test-database.ts'
import { openStore, parseDatabaseUrl, type Store } from './database/store.ts'
import { openEventBus, type BusEvent, type EventBus } from './event-bus.ts'

const patience = { timeout: 15_000, interval: 20 }
let database: TestDatabase
let store: Store
let warnings: string[]
const buses: EventBus[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({ owner: parseDatabaseUrl(database.url), log: pino({ level: 'silent' }) })
})
afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()))
})
afterAll(async () => {
  await store.database.close()
  await database.drop()
})

async function openHeard(): Promise<{ bus: EventBus; heard: BusEvent[] }> {
  warnings = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const bus = await openEventBus(store.app, log)
  buses.push(bus)
  const heard: BusEvent[] = []
  bus.subscribe((event) => heard.push(event))
  return { bus, heard }
}

const asSuperuser = async (sql: string) => {
  const client = await database.superuser()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}
const ofBus = "datname = current_database() AND application_name = 'coherex events'"
const cutOff = () => asSuperuser(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofBus}`)

test('what one server says is heard by all, itself included, in order', async () => {
  const [one, two] = [await openHeard(), await openHeard()]
  const events = ['run_1', 'run_2', 'run_3'].map((id) => ({ teamId: 'team_1', type: 'run', id }))
  for (const event of events) await one.bus.publish(event)
  await vi.waitFor(() => expect({ one: one.heard, two: two.heard }).toEqual({ one: events, two: events }), patience)
})

test('a listener that fails does not keep the event from the others', async () => {
  const { bus, heard } = await openHeard()
  const late: BusEvent[] = []
  bus.subscribe(() => {
    throw new Error('listener')
  })
  bus.subscribe((event) => late.push(event))
  await bus.publish({ teamId: null, type: 'team', id: null })
  await vi.waitFor(() => expect(late).toEqual(heard.length > 0 ? heard : ['nothing yet']), patience)
})

test('what is no event of ours is not passed on', async () => {
  const { bus, heard } = await openHeard()
  await asSuperuser(`NOTIFY coherex, '{"type":7}'`)
  await asSuperuser(`NOTIFY coherex, 'no json'`)
  const event = { teamId: 'team_1', type: 'run', id: 'run_1' }
  await bus.publish(event)
  await vi.waitFor(() => expect(heard).toEqual([event]), patience)
})

test('after its connection was cut it listens again and says that it was away', async () => {
  const [one, two] = [await openHeard(), await openHeard()]
  await cutOff()
  const away = { teamId: null, type: 'reconnected', id: null }
  await vi.waitFor(() => expect([one.heard, two.heard]).toEqual([[away], [away]]), patience)
  const event = { teamId: 'team_1', type: 'run', id: 'run_1' }
  await one.bus.publish(event)
  await vi.waitFor(
    () =>
      expect([one.heard, two.heard]).toEqual([
        [away, event],
        [away, event],
      ]),
    patience,
  )
})

test('however often it fails to come back, it comes back with one connection', async () => {
  const { heard } = await openHeard()
  await asSuperuser(`ALTER ROLE ${store.app.user} NOLOGIN`)
  try {
    await cutOff()
    const failures = () => warnings.filter((line) => line.includes('cannot listen')).length
    await vi.waitFor(() => expect(failures()).toBeGreaterThanOrEqual(3), patience)
  } finally {
    await asSuperuser(`ALTER ROLE ${store.app.user} LOGIN`)
  }
  await vi.waitFor(() => expect(heard.map(({ type }) => type)).toEqual(['reconnected']), patience)
  const { rows } = await asSuperuser(`SELECT count(*)::int AS open FROM pg_stat_activity WHERE ${ofBus}`)
  expect(rows).toEqual([{ open: 1 }])
})
