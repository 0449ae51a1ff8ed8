import { expect, test } from 'vitest'
import type { Database, EventBus } from '../base/index.ts'
import { Grants } from './grants.ts'

test('use that is counted while the database is away fails nobody', async () => {
  const away = Promise.withResolvers<never>()
  const database = { transaction: () => away.promise } as unknown as Database
  const events = { subscribe: () => () => undefined } as unknown as EventBus
  const grants = new Grants(database, events)
  const asked = grants.of('team_1')
  const counted = grants.count('team_1', { seconds: 1, bytes: 0 })
  away.reject(new Error('The database is away'))
  await expect(asked).rejects.toThrow('The database is away')
  await expect(counted).resolves.toBeUndefined()
})
