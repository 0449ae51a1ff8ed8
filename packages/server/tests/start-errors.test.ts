import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDataDirectory, openStore, parseDatabaseUrl } from '../src/base/index.ts'
import { mayMount, mayNotMount, onTmpfs } from './harness/database/on-tmpfs.ts'
import { createTestDatabase, type TestDatabase } from './harness/database/test-database.ts'
import { makeTestDirectory, runServerProcess, type Ran } from './harness/server-process.ts'

let database: TestDatabase
let directory: Awaited<ReturnType<typeof makeTestDirectory>>
/** No embedded database is made: what is wrong is found before, or lies elsewhere. */
let settings: Record<string, string>

beforeAll(async () => {
  database = await createTestDatabase()
  directory = await makeTestDirectory()
  settings = { COHEREX_DATA_DIR: directory.path, DATABASE_URL: database.url }
})
afterAll(async () => {
  await database.drop()
  await directory.remove()
})

/** One line on stderr, nothing on stdout, an exit code that scripts see. */
function expectOneLine(ran: Ran, message: string | RegExp): void {
  expect(ran).toMatchObject({ code: 1, signal: null, stdout: '' })
  expect(ran.stderr).toMatch(/^[^\n]+\n$/)
  const [line] = ran.stderr.split('\n')
  if (message instanceof RegExp) expect(line).toMatch(message)
  else expect(line).toBe(message)
}

describe('the start says in one line and ends with 1', { timeout: 120_000 }, () => {
  test('that the port is taken', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const ran = await runServerProcess({ ...settings, PORT: String(port) })
    other.close()
    expectOneLine(ran, `Port ${port} is taken on 127.0.0.1: stop what uses it, or set PORT`)
  })

  test('that another Coherex uses the data directory', async () => {
    const held = await openDataDirectory(directory.path)
    const ran = await runServerProcess(settings)
    await held.release()
    expectOneLine(ran, `The data directory ${directory.path} is used by another running Coherex`)
  })

  test('that the data directory belongs to someone else', async ({ skip }) => {
    skip(!mayMount, mayNotMount)
    const closed = join(directory.path, 'closed')
    await mkdir(closed, { mode: 0o755 })
    await chmod(closed, 0o755)
    const ran = await runServerProcess({ ...settings, COHEREX_DATA_DIR: closed }, { uid: 65_534, gid: 65_534 })
    expectOneLine(ran, `Cannot write to the data directory ${closed}: permission denied`)
  })

  test('that the data directory is read-only', async ({ skip }) => {
    skip(!mayMount, mayNotMount)
    await onTmpfs('ro', async (path) => {
      const ran = await runServerProcess({ ...settings, COHEREX_DATA_DIR: path })
      expectOneLine(ran, `Cannot write to the data directory ${path}: the file system is read-only`)
    })
  })

  test('that the disk is full', async ({ skip }) => {
    skip(!mayMount, mayNotMount)
    await onTmpfs('size=20m', async (path) => {
      const ran = await runServerProcess({ COHEREX_DATA_DIR: path })
      expectOneLine(ran, /^The disk is full: \S+ has \d+ MB free and Coherex needs at least 100 MB$/)
    })
  })

  test('that the disk has not a byte left', async ({ skip }) => {
    skip(!mayMount, mayNotMount)
    await onTmpfs('size=1m', async (path) => {
      await writeFile(join(path, 'filler'), Buffer.alloc(2 * 1024 * 1024)).catch(() => undefined) // until it is full
      const ran = await runServerProcess({ COHEREX_DATA_DIR: path })
      expectOneLine(ran, /^The disk is full: \S+ has 0 MB free/)
    })
  })

  test('that nothing listens where the database should be', async () => {
    // below those that are given out: nobody else listens there meanwhile
    const port = 1
    const ran = await runServerProcess({ ...settings, DATABASE_URL: `postgres://me:secret@127.0.0.1:${port}/x` })
    expectOneLine(ran, `Cannot connect to the database at 127.0.0.1:${port}: nothing listens there`)
  })

  test('that the password of the database is wrong, without telling it', async () => {
    const url = database.url.replace(/:[^:@]+@/, ':a-wrong-password@')
    const ran = await runServerProcess({ ...settings, DATABASE_URL: url })
    expectOneLine(ran, /^Cannot connect to the database in \S+: user or password are wrong$/)
  })

  test.for([
    ['PORT', 'eighty-eighty'],
    ['HOST', 'not a host'],
    ['DATABASE_URL', 'mysql://planted-value'],
    ['COHEREX_TOKEN', 'planted-value'],
    ['COHEREX_SECRET_KEY', 'planted-value'],
    ['COHEREX_TRUST_PROXY', 'planted-value'],
  ] as const)('that the setting %s is not valid, without telling its value', async ([name, value]) => {
    const ran = await runServerProcess({ ...settings, [name]: value })
    expectOneLine(ran, new RegExp(`^The setting ${name} is not valid: `))
    expect(ran.stderr).not.toContain(value)
  })

  test('that the data was written by a newer version, and then that the key is wrong', async () => {
    const store = await openStore({ owner: parseDatabaseUrl(database.url), log: pino({ level: 'silent' }) })
    await store.database.close()
    const client = await database.superuser()
    await client.query("INSERT INTO coherex_auth.migration (name, hash) VALUES ('9999_future.sql', 'x')")
    expectOneLine(
      await runServerProcess(settings),
      'The data was written by a newer Coherex (it has 9999_future.sql): start that version, or restore a backup',
    )
    await client.query("DELETE FROM coherex_auth.migration WHERE name = '9999_future.sql'")
    await client.query("INSERT INTO coherex_auth.installation (key_check) VALUES ('of another key')")
    await client.end()
    expectOneLine(
      await runServerProcess({ ...settings, COHEREX_SECRET_KEY: 'planted-value-planted-value-planted' }),
      /^The secret key is not the one this data was sealed with: (?!.*planted)/,
    )
    await writeFile(join(directory.path, 'secret.key'), '')
    expectOneLine(await runServerProcess(settings), /^The secret key in \S+ is too short: put the right one there$/)
  })
})
