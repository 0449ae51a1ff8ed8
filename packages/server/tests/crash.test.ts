import { spawnSync } from 'node:child_process'
import { createClient, routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong } from './harness/long-tests.ts'
import {
  embeddedPid,
  isAlive,
  makeTestDirectory,
  startServerProcess,
  type ServerProcess,
} from './harness/server-process.ts'

const token = 'a_fixed_token_for_this_test'
const kills = isLong ? 20 : 5
/** What a bare process takes on an idle machine of two cores; a busy one is given more time in proportion. */
const idleNodeMs = 60
const readyWithinMs = 5000

let directory: Awaited<ReturnType<typeof makeTestDirectory>>
let server: ServerProcess | undefined

beforeAll(async () => {
  directory = await makeTestDirectory()
})
afterAll(async () => {
  server?.kill('SIGTERM')
  await server?.ended
  await directory.remove()
})

const start = () => startServerProcess({ COHEREX_DATA_DIR: directory.path, COHEREX_TOKEN: token })

test(
  `killed with -9 ${kills} times while people write, it loses nothing it acknowledged and is back in time`,
  { timeout: isLong ? 600_000 : 240_000 },
  async () => {
    const acknowledged = new Set<string>()
    for (let round = 0; round < kills; round++) {
      server = await start()
      if (round > 0) expect(server.readyMs).toBeLessThan(readyWithinMs * slowness())
      const killed = server
      const enough = round * 7 + 10
      await writeUntilKilled(killed, `ROUND_${round}`, acknowledged, enough)
      await killed.ended
      // the database it left behind is cleared up by the next start
      expect(isAlive(await embeddedPid(directory.path))).toBe(true)
    }
    server = await start()
    const stored = await listSecrets(server)
    expect([...acknowledged].filter((name) => !stored.has(name))).toEqual([])
    expect(acknowledged.size).toBeGreaterThan(kills * 10)
  },
)

/** Four clients write as fast as they are answered; the server is killed in the middle of it. */
async function writeUntilKilled(target: ServerProcess, prefix: string, acknowledged: Set<string>, enough: number) {
  const call = createClient({ baseUrl: target.url, fetch, key: token })
  let count = 0
  const writer = async (id: number) => {
    for (let index = 0; ; index++) {
      const name = `${prefix}_${id}_${index}`
      try {
        await call(routes.secrets.put, { params: { name }, body: { value: `value of ${name}` } })
      } catch {
        return // killed: this one was not acknowledged
      }
      acknowledged.add(name)
      if (++count === enough) target.kill('SIGKILL')
    }
  }
  await Promise.all([0, 1, 2, 3].map(writer))
}

async function listSecrets(target: ServerProcess): Promise<Set<string>> {
  const call = createClient({ baseUrl: target.url, fetch, key: token })
  const names = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await call(routes.secrets.list, { query: { limit: 100, ...(cursor ? { cursor } : {}) } })
    for (const { name } of page.items) names.add(name)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return names
}

function slowness(): number {
  const started = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return Math.max(1, (performance.now() - started) / idleNodeMs)
}
