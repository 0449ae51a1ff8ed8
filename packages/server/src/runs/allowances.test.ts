import { expect, test, vi } from 'vitest'
import type { Database, EventBus } from '../base/index.ts'
import { Allowances } from './allowances.ts'

test('use that is counted while the database is away fails nobody', async () => {
  const away = Promise.withResolvers<never>()
  const database = { transaction: () => away.promise } as unknown as Database
  const events = { subscribe: () => () => undefined } as unknown as EventBus
  const allowances = new Allowances(database, events)
  const asked = allowances.of('team_1')
  const counted = allowances.count('team_1', { seconds: 1, bytes: 0 })
  away.reject(new Error('The database is away'))
  await expect(asked).rejects.toThrow('The database is away')
  await expect(counted).resolves.toBeUndefined()
})

test('a change of quotas is read at once, and only that of its team', async () => {
  let reads = 0
  let tell = (_: object) => {}
  const database = { transaction: async () => ({ usedSeconds: ++reads }) } as unknown as Database
  const events = { subscribe: (listener: typeof tell) => ((tell = listener), () => undefined) } as unknown as EventBus
  const allowances = new Allowances(database, events)
  const read = async () => (await allowances.of('team_1')).usedSeconds
  expect([await read(), await read()]).toEqual([1, 1])
  tell({ type: 'quota', teamId: 'team_2', id: null })
  expect(await read()).toBe(1)
  tell({ type: 'quota', teamId: 'team_1', id: null })
  expect(await read()).toBe(2)
  // what was said while nobody was connected was not heard
  tell({ type: 'reconnected' })
  expect(await read()).toBe(3)
})

test('what was used yesterday does not count in the first seconds of a day', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T23:59:59.500Z') })
  try {
    let reads = 0
    const database = { transaction: async () => ({ usedSeconds: ++reads }) } as unknown as Database
    const events = { subscribe: () => () => undefined } as unknown as EventBus
    const allowances = new Allowances(database, events)
    expect((await allowances.of('team_1')).usedSeconds).toBe(1)
    vi.setSystemTime('2026-03-02T00:00:00.000Z')
    expect((await allowances.of('team_1')).usedSeconds).toBe(2)
    expect((await allowances.of('team_1')).usedSeconds).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})
