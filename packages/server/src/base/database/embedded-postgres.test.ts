import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isAlive, makeTestDirectory } from '../../../tests/harness/server-process.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import { connectOwner } from './store.ts'

const patience = { timeout: 25_000, interval: 50 }
let parent: Awaited<ReturnType<typeof makeTestDirectory>>
let directory: string
const children: ChildProcess[] = []
const started: EmbeddedPostgres[] = []

beforeEach(async () => {
  parent = await makeTestDirectory()
  directory = join(parent.path, 'postgres')
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const one of started.splice(0)) await one.stop()
  await parent.remove()
})

async function start(onCrash?: () => void): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(directory, { onCrash })
  started.push(postgres)
  return postgres
}

function connect({ socketDirectory, password }: { socketDirectory: string; password: string }) {
  return connectOwner({ host: socketDirectory, user: 'postgres', password, database: 'postgres' })
}

const postmaster = async () => Number((await readFile(join(directory, 'data/postmaster.pid'), 'utf8')).split('\n')[0])

test('killed with -9 it comes back by itself, with every write that was acknowledged', async () => {
  const crashed = vi.fn()
  const postgres = await start(crashed)
  const before = await connect(postgres)
  await before.query('CREATE TABLE written (id integer)')
  const pid = await postmaster()
  let acknowledged = 0
  const writing = (async () => {
    for (;;) {
      await before.query('INSERT INTO written VALUES ($1)', [acknowledged + 1])
      acknowledged += 1
      if (acknowledged === 200) process.kill(pid, 'SIGKILL')
    }
  })()
  await expect(writing).rejects.toThrow()

  const after = await vi.waitFor(() => connect(postgres), patience)
  const { rows } = await after.query('SELECT count(*)::int AS count, max(id) AS last FROM written')
  expect(rows[0].count).toBeGreaterThanOrEqual(acknowledged)
  expect(rows[0].last).toBe(rows[0].count)
  expect(await postmaster()).not.toBe(pid)
  expect(crashed).toHaveBeenCalled()
  await after.end()
})

test('one left running by a killed server is stopped, and its data is there', async () => {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('embedded-postgres.ts', import.meta.url).href)}
    await startEmbeddedPostgres(${JSON.stringify(directory)})
    console.log('ready')`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.push(child)
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const before = await connect(await findEmbeddedPostgres(directory))
  await before.query('CREATE TABLE kept AS SELECT 7 AS id')
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  const orphan = await postmaster()
  expect(isAlive(orphan)).toBe(true)

  const postgres = await start()
  expect(isAlive(orphan)).toBe(false)
  const after = await connect(postgres)
  expect((await after.query('SELECT id FROM kept')).rows).toEqual([{ id: 7 }])
  await after.end()
  await postgres.stop()
  expect(isAlive(await postmaster().catch(() => 2 ** 30))).toBe(false)
})

test('a process id in a stale file that now is someone else’s is left alone', async () => {
  const bystander = spawn('/bin/sleep', ['600'])
  children.push(bystander)
  await (await startEmbeddedPostgres(directory)).stop()
  await writeFile(join(directory, 'data/postmaster.pid'), `${bystander.pid}\n`)
  // whether PostgreSQL itself starts beside such a file is its own affair
  await start().catch(() => undefined)
  expect(isAlive(bystander.pid ?? 0)).toBe(true)
})

test('an initdb that was cut off is begun again', async () => {
  await mkdir(join(directory, 'data'), { recursive: true })
  await writeFile(join(directory, 'data/PG_VERSION'), '18')
  const postgres = await start()
  const client = await connect(postgres)
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await client.end()
})

test('only its own user and root can reach its socket and its files', async () => {
  const postgres = await start()
  for (const path of [directory, postgres.socketDirectory, join(directory, 'data')])
    expect((await stat(path)).mode & 0o077).toBe(0)
  expect((await stat(join(directory, 'password'))).mode & 0o077).toBe(0)
  if (process.getuid?.() === 0) expect((await stat(join(directory, 'data'))).uid).not.toBe(0)
})
