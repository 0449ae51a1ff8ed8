import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, routes, type Client } from '@coherex/contract'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../harness/database/test-database.ts'
import { startChatServer } from '../harness/outside/chat-server.ts'
import { makeTestDirectory, startServerProcess } from '../harness/server-process.ts'

const token = 'a-fixed-token-for-another-clock'
const folder = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
const library = `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`
const minute = 60_000
const params = { name: 'hourly' }

test('a server whose clock jumps by an hour and by 400 days, both ways, fires each time once', async (context) => {
  if (!existsSync(library)) return context.skip('needs faketime')
  const chat = await startChatServer()
  const database = await createTestDatabase()
  const directory = await makeTestDirectory()
  const clock = join(directory.path, 'clock')
  // in one go: the server may look at any moment
  const setClock = async (offset: string) => {
    await writeFile(`${clock}.next`, offset)
    await rename(`${clock}.next`, clock)
  }
  await setClock('+0')
  const server = await startServerProcess({
    DATABASE_URL: database.url,
    COHEREX_DATA_DIR: directory.path,
    COHEREX_TOKEN: token,
    COHEREX_COMPATIBLE_BASE_URL: chat.url,
    COHEREX_LOG_LEVEL: 'error',
    COHEREX_WARM: 'false',
    // a look at the clock every second
    COHEREX_LEASE_SECONDS: '3',
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    // timers go on as they do when someone sets the clock
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })
  try {
    const call: Client = createClient({ baseUrl: server.url, fetch, key: token })
    // half an hour from now: it does not come by itself while the test runs
    const schedule = `${new Date(Date.now() + 30 * minute).getUTCMinutes()} * * * *`
    const source = `kind: agent\nname: hourly\ndescription: d\ninstructions: i\ntriggers: [{ schedule: "${schedule}" }]\n`
    await call(routes.agents.create, { body: { source } })
    const count = async () => (await call(routes.triggers.deliveries, { params })).items.length
    const nextIn = async () => {
      const { items } = await call(routes.triggers.list, { params })
      return (Date.parse(items[0]?.schedule?.next[0] ?? '') - Date.now()) / minute
    }
    const patience = { timeout: 30_000, interval: 200 }
    expect(await count()).toBe(0)

    await setClock('+1h')
    await expect.poll(count, patience).toBe(1)
    // what comes next is told from the clock of then
    await setClock('-1h')
    await expect.poll(nextIn, patience).toBeLessThan(0)
    await setClock('+400d')
    await expect.poll(count, patience).toBe(2)
    await setClock('+0')
    // not silent for 400 days
    await expect.poll(nextIn, patience).toBeLessThan(61)
    expect(await count()).toBe(2)
    const { items } = await call(routes.triggers.deliveries, { params })
    expect(items.map(({ kind, status }) => [kind, status])).toEqual([
      ['schedule', 'started'],
      ['schedule', 'started'],
    ])
  } finally {
    server.kill('SIGTERM')
    await server.ended
    await database.drop()
    await directory.remove()
    await chat.stop()
  }
}, 300_000)
