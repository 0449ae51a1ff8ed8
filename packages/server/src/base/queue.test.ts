import { spawn } from 'node:child_process'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database/test-database.ts'
import { openStore, parseDatabaseUrl, type Store } from './database/store.ts'
import { openQueue, type Queue } from './queue.ts'

const patience = { timeout: 55_000, interval: 100 }
let database: TestDatabase
let store: Store
let queue: Queue
const lines: { msg: string; queue?: string; error?: { message: string } }[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) })
  store = await openStore({ owner: parseDatabaseUrl(database.url), log })
  queue = await openQueue(store.app, log)
})
afterAll(async () => {
  await queue.close()
  await store.database.close()
  await database.drop()
})

const readJobs = async (name: string) => {
  const client = await database.superuser()
  const { rows } = await client.query<{ state: string; retry_count: number; output: { message?: string } | null }>(
    'SELECT state, retry_count, output FROM coherex_queue.job WHERE name = $1',
    [name],
  )
  await client.end()
  return rows
}

test.concurrent('work that fails each time is tried four times in all and is then dead, with its reason', async () => {
  let tries = 0
  await queue.work('poison', async () => {
    tries += 1
    throw new Error(`no luck ${tries}`)
  })
  await queue.send('poison', { teamId: 'team_1' })
  await vi.waitFor(async () => {
    const [job] = await readJobs('poison')
    expect(job).toMatchObject({ state: 'failed', retry_count: 3, output: { message: 'no luck 4' } })
  }, patience)
  expect(tries).toBe(4)
  const told = lines.filter((line) => line.queue === 'poison').map(({ msg }) => msg)
  expect(told).toEqual(Array.from({ length: 4 }, () => 'queued work failed'))
}, 60_000)

test.concurrent('work in the hands of a process that is killed is done by another', async ({ onTestFinished }) => {
  const worker = startWorker()
  onTestFinished(worker.kill)
  await worker.ready
  await queue.send('orphaned', { teamId: 'team_1', id: 7 })
  await worker.took
  worker.kill()
  await worker.ended
  expect(await readJobs('orphaned')).toMatchObject([{ state: 'active' }])

  const done: object[] = []
  await queue.work('orphaned', async (payload) => void done.push(payload))
  await vi.waitFor(() => expect(done).toEqual([{ teamId: 'team_1', id: 7 }]), patience)
  await vi.waitFor(async () => expect(await readJobs('orphaned')).toMatchObject([{ state: 'completed' }]), patience)
}, 60_000)

test.concurrent('work sent with a key that waits already is not sent twice', async () => {
  const after = new Date(Date.now() + 3_600_000)
  await queue.work('keyed', async () => undefined)
  await queue.send('keyed', { teamId: 'team_1' }, { key: 'one', after })
  await queue.send('keyed', { teamId: 'team_1' }, { key: 'one', after })
  await queue.send('keyed', { teamId: 'team_1' }, { key: 'two', after })
  expect(await readJobs('keyed')).toHaveLength(2)
})

test.concurrent('a queue that is closed lets work end that is under way, and takes no other', async () => {
  const closing = await openQueue(store.app, pino({ level: 'silent' }))
  const began = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const taken: object[] = []
  await closing.work('slow', async (payload) => {
    taken.push(payload)
    began.resolve()
    await mayEnd.promise
  })
  await closing.send('slow', { teamId: 'team_1', id: 1 })
  await began.promise
  await queue.send('slow', { teamId: 'team_1', id: 2 })
  const closed = closing.close()
  mayEnd.resolve()
  await closed
  expect(taken).toEqual([{ teamId: 'team_1', id: 1 }])
  expect((await readJobs('slow')).map(({ state }) => state).toSorted()).toEqual(['completed', 'created'])
})

/** A process that takes a job and never finishes it. */
function startWorker() {
  const script = `
    import { pino } from 'pino'
    import { openQueue } from ${JSON.stringify(new URL('queue.ts', import.meta.url).href)}
    const queue = await openQueue(${JSON.stringify(store.app)}, pino({ level: 'silent' }))
    await queue.work('orphaned', () => { console.log('took'); return new Promise(() => {}) })
    console.log('ready')`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  const said = (word: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => output.includes(word) && resolve()
      child.stdout.on('data', look)
      child.once('exit', () => reject(new Error('the worker ended')))
    })
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const took = said('took')
  took.catch(() => undefined) // awaited later than it may fail
  return { ready: said('ready'), took, ended, kill: () => void child.kill('SIGKILL') }
}
