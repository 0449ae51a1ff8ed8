import { routes } from '@coherex/contract'
import { expect, test } from 'vitest'
import { loadWithRuns } from './harness/load/load.ts'
import { startTestServer } from './harness/test-server.ts'

test(
  'a thousand mixed runs from 32 clients all end right, none lost, doubled or crossed',
  { timeout: 600_000 },
  async () => {
    const server = await startTestServer()
    try {
      const owner = await server.owner()
      const { key } = await owner.call(routes.keys.create, { body: { name: 'load', scopes: ['run'] } })
      const call = server.withKey(key)
      const report = await loadWithRuns(call, { count: 1000, clients: 32, seed: 7 })
      expect(report).toMatchObject({ runs: 1000, wrong: [], doubled: 0 })

      const superuser = await server.database.superuser()
      const { rows } = await superuser.query<{ all: number; open: number }>(
        'SELECT count(*)::int AS all, count(*) FILTER (WHERE ended_at IS NULL)::int AS open FROM coherex.run',
      )
      await superuser.end()
      expect(rows).toEqual([{ all: 1000, open: 0 }])
    } finally {
      await server.stop()
    }
  },
)
