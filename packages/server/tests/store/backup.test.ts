import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { routes } from '@coherex/contract'
import type { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeyRing, openSecret } from '../../src/access/index.ts'
import {
  connectOwner,
  createDiskBlobs,
  embeddedOwner,
  findEmbeddedPostgres,
  openStore,
  parseDatabaseUrl,
} from '../../src/base/index.ts'
import { readConfig } from '../../src/config.ts'
import { openInstallation } from '../../src/open-installation.ts'
import { readBackup, writeBackup, type BackupManifest, type BackupWriter } from '../../src/operate/backup-file.ts'
import { listBackupTables } from '../../src/operate/backup-tables.ts'
import { createBackup, restoreBackup } from '../../src/operate/index.ts'
import {
  hasExternalPostgres,
  missingExternalPostgres,
  startExternalPostgres,
} from '../harness/database/external-postgres.ts'
import { mayMount, mayNotMount, onTmpfs } from '../harness/database/on-tmpfs.ts'
import { createEmptyDatabase, type TestDatabase } from '../harness/database/test-database.ts'
import { embeddedPid, isAlive, makeTestDirectory, runOperate, startServerProcess } from '../harness/server-process.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

const log = pino({ level: 'silent' })
const { signal } = new AbortController()
const blob = Buffer.from('bytes of a blob')
const value = 'the value of a secret'
const inFirstVersion = [
  'coherex_auth.installation',
  'coherex_auth.person',
  'coherex_auth.account',
  'coherex.team',
  'coherex.member',
].concat(['coherex.team_key', 'coherex.secret', 'coherex.api_key'])

let server: TestServer
let owner: TestPerson
let folder: Awaited<ReturnType<typeof makeTestDirectory>>
let key: string
let good: string

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
  folder = await makeTestDirectory()
  key = await readFile(join(server.dataDirectory, 'secret.key'), 'utf8')
  const second = await server.invite(owner, 'editor')
  const team = await second.call(routes.teams.create, { body: { name: 'Back\\slash \\N' } })
  await second.call(routes.signIn.switchTeam, { body: { teamId: team.id } })
  for (const person of [owner, second]) {
    await person.call(routes.secrets.put, { params: { name: 'TOKEN' }, body: { value } })
    await person.call(routes.keys.create, { body: { name: 'ключ', scopes: ['read'] } })
  }
  await createDiskBlobs(join(server.dataDirectory, 'blobs')).put(team.id, blob)
  good = await backUp('good.tar')
}, 120_000)
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const sourceConfig = () =>
  readConfig({ COHEREX_DATA_DIR: server.dataDirectory, DATABASE_URL: server.database.url }, server.dataDirectory)

async function backUp(name: string, { config = sourceConfig(), withKey = false } = {}): Promise<string> {
  const file = join(folder.path, name)
  await createBackup({ config, version: '0.1.0', signal, file, withKey })
  return file
}

async function withStore(
  work: (store: {
    path: string
    database: TestDatabase
    restore(file: string, key?: string): Promise<unknown>
  }) => Promise<void>,
): Promise<void> {
  const database = await createEmptyDatabase()
  const directory = await makeTestDirectory()
  try {
    const restore = (file: string, secretKey?: string) => {
      const settings = { COHEREX_DATA_DIR: directory.path, DATABASE_URL: database.url }
      const config = readConfig({ ...settings, ...(secretKey ? { COHEREX_SECRET_KEY: secretKey } : {}) }, '/')
      return restoreBackup({ config, log, signal, file })
    }
    await work({ path: directory.path, database, restore })
  } finally {
    await database.drop()
    await directory.remove()
  }
}

/** Every row of every table that is backed up, as a superuser sees it. */
async function contents(client: Client): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {}
  for (const { name } of await listBackupTables(client)) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t ORDER BY 1`)
    all[name] = rows.map(({ row }) => row)
  }
  await client.end()
  return all
}

describe('a backup', () => {
  test('holds one moment, however much is written meanwhile', async () => {
    let writing = true
    const writers = Array.from({ length: 3 }, async () => {
      while (writing) await owner.call(routes.keys.create, { body: { name: 'busy', scopes: ['read'] } })
    })
    const file = await backUp('busy.tar')
    writing = false
    await Promise.all(writers)
    const rows: Record<string, string> = {}
    await readBackup(file, async ({ name, content }) => {
      for await (const chunk of content) rows[name] = (rows[name] ?? '') + Buffer.from(chunk).toString()
    })
    // a key and the line that tells of it are written in one transaction
    const keys = rows['tables/coherex.api_key/000001']?.split('\n').filter((line) => line.includes('\tbusy\t')).length
    const told = rows['tables/coherex.audit_event/000001']
      ?.split('\n')
      .filter((line) => line.includes('\tbusy\t')).length
    expect(keys).toBe(told)
    expect((await contents(await server.database.superuser()))['coherex.api_key']?.length).toBeGreaterThan(keys ?? 0)
  })

  test('can be read by its owner alone, and holds no key, no secret and no session', async () => {
    expect((await stat(good)).mode & 0o777).toBe(0o600)
    const names: string[] = []
    let bytes = ''
    const manifest = await readBackup(good, async ({ name, content }) => {
      names.push(name)
      for await (const chunk of content) bytes += Buffer.from(chunk).toString('latin1')
    })
    expect(JSON.stringify(manifest) + bytes).not.toContain(key.trim())
    expect(bytes).not.toContain(value)
    expect(bytes).not.toContain(Buffer.from(value).toString('hex'))
    expect(names.join()).not.toMatch(/session|one_time_link|app_role|verification|attempt/)
  })

  test('never takes the place of another file', async () => {
    await expect(backUp('good.tar')).rejects.toThrow(/exists already/)
  })

  test('that does not fit on the disk, or is interrupted, leaves nothing behind', async ({ skip }) => {
    skip(!mayMount, mayNotMount)
    const blobs = createDiskBlobs(join(server.dataDirectory, 'blobs'), { graceMs: 0 })
    const team = owner.me.team?.id ?? ''
    const hash = await blobs.put(team, randomBytes(8_000_000))
    await onTmpfs('size=2m', async (path) => {
      const file = join(path, 'x.tar')
      const make = (stop: AbortSignal) =>
        createBackup({ config: sourceConfig(), version: '0.1.0', signal: stop, file, withKey: false })
      await expect(make(signal)).rejects.toThrow(`Cannot write ${file}: the disk is full`)
      expect(await readdir(path)).toEqual([])
      await expect(make(AbortSignal.abort(new Error('interrupted')))).rejects.toThrow('interrupted')
      expect(await readdir(path)).toEqual([])
    })
    await blobs.remove(team, hash)
  })

  test('cannot be written where there is no folder', async () => {
    await expect(backUp('none/x.tar')).rejects.toThrow(/its folder does not exist/)
  })
})

describe('restore', () => {
  test('brings everything to another store, blobs included', () =>
    withStore(async ({ path, database, restore }) => {
      expect(await restore(good, key.trim())).toMatchObject({ blobs: 1 })
      const after = await contents(await database.superuser())
      const before = await contents(await server.database.superuser())
      for (const table of [
        'coherex_auth.person',
        'coherex_auth.account',
        'coherex.team',
        'coherex.member',
        'coherex.secret',
        'coherex.team_key',
      ])
        expect({ table, rows: after[table] }).toEqual({ table, rows: before[table] })
      const blobs = createDiskBlobs(join(path, 'blobs'))
      for await (const { teamId, hash } of blobs.list()) {
        const stream = await blobs.read(teamId, hash)
        expect(Buffer.concat((await stream?.toArray()) as Buffer[])).toEqual(blob)
      }
      const client = await database.superuser()
      const { rows } = await client.query(
        "SELECT relname FROM pg_class WHERE relnamespace = 'coherex'::regnamespace AND relkind = 'r' AND NOT relforcerowsecurity",
      )
      expect(rows).toEqual([])
      await client.end()
    }))

  test('what was under way when it was made is ended by the server that starts on it', () =>
    withStore(async ({ path, database, restore }) => {
      const { id: sandboxId } = await owner.call(routes.sandboxes.create, { body: {} })
      const { id } = await owner.call(routes.runs.create, {
        query: { wait: 'false' },
        body: { language: 'bash', code: 'sleep 600', limits: { timeoutMs: 300_000 } },
      })
      const file = await backUp('under-way.tar')
      await owner.call(routes.runs.cancel, { params: { id } })
      await owner.call(routes.sandboxes.remove, { params: { id: sandboxId } })
      await restore(file, key.trim())

      const settings = { COHEREX_DATA_DIR: path, DATABASE_URL: database.url, COHEREX_SECRET_KEY: key.trim() }
      const restored = await startServerProcess({ ...settings, COHEREX_WARM: 'false' })
      const client = await database.superuser()
      const { rows } = await client.query(
        `SELECT id, status, error->>'kind' AS why FROM coherex.run
         UNION ALL SELECT id, status, reason FROM coherex.sandbox`,
      )
      await client.end()
      restored.kill('SIGTERM')
      await restored.ended
      expect(rows).toEqual([
        { id, status: 'failed', why: 'internal' },
        { id: sandboxId, status: 'sleeping', why: expect.stringMatching(/server/i) as string },
      ])
    }))

  test('refuses a store with data in it', () =>
    withStore(async ({ restore }) => {
      await restore(good, key.trim())
      await expect(restore(good, key.trim())).rejects.toThrow('This store has data in it')
    }))

  test('tells of a wrong key and of a missing one before it touches anything', () =>
    withStore(async ({ path, database, restore }) => {
      await expect(restore(good, 'x'.repeat(40))).rejects.toThrow(
        'The secret key here is not the one this backup was sealed with: set COHEREX_SECRET_KEY to the right one',
      )
      await expect(restore(good)).rejects.toThrow('The backup does not hold its secret key')
      const client = await database.superuser()
      expect((await client.query("SELECT to_regnamespace('coherex') AS made")).rows).toEqual([{ made: null }])
      await client.end()
      await writeFile(join(path, 'secret.key'), key, { mode: 0o600 })
      await restore(good)
    }))

  test('puts the key in its place when the backup was made with it', () =>
    withStore(async ({ path, restore }) => {
      await restore(await backUp('with-key.tar', { withKey: true }))
      expect(await readFile(join(path, 'secret.key'), 'utf8')).toBe(key.trim())
      expect((await stat(join(path, 'secret.key'))).mode & 0o777).toBe(0o600)
    }))

  test('refuses a file that is cut off, changed, or something else', () =>
    withStore(async ({ restore }) => {
      const bytes = await readFile(good)
      const cut = join(folder.path, 'cut.tar')
      await writeFile(cut, bytes)
      await truncate(cut, bytes.length - 20)
      await expect(restore(cut, key.trim())).rejects.toThrow(/is damaged/)

      const other = join(folder.path, 'other.tar')
      await writeFile(other, 'some other file')
      await expect(restore(other, key.trim())).rejects.toThrow(/is damaged or is no backup/)
      await expect(restore(join(folder.path, 'none.tar'), key.trim())).rejects.toThrow(/There is no file/)

      const swapped = await forge('swapped.tar', async (manifest, entries, write) => {
        await write(manifest, async (writer) => {
          for (const { name, bytes: content } of entries) await writer.add(name, content.length, [content])
        })
      })
      await restore(swapped, key.trim())
    }))

  test('refuses the backup of a newer version', () =>
    withStore(async ({ restore }) => {
      const newer = await forge('newer.tar', (manifest, _entries, write) =>
        write({
          ...manifest,
          version: '9.9.9',
          migrations: [...manifest.migrations, { name: '9999_future.sql', hash: 'x' }],
        }),
      )
      await expect(restore(newer, key.trim())).rejects.toThrow('The backup is of another Coherex (9.9.9)')
    }))

  test('brings the data of an older version forward', () =>
    withStore(async ({ database, restore }) => {
      const older = await forge('older.tar', (manifest, entries, write) => {
        const tables = manifest.tables.filter(({ name }) => inFirstVersion.includes(name))
        return write({ ...manifest, migrations: manifest.migrations.slice(0, 1), tables }, async (writer) => {
          for (const { name, bytes } of entries)
            if (inFirstVersion.includes(name.split('/')[1] ?? '')) await writer.add(name, bytes.length, [bytes])
        })
      })
      await restore(older, key.trim())
      const client = await database.superuser()
      const { rows } = await client.query('SELECT name FROM coherex_auth.migration ORDER BY name')
      const manifest = await readBackup(good, async () => undefined)
      expect(rows).toEqual(manifest.migrations.map(({ name }) => ({ name })))
      expect(manifest.migrations.length).toBeGreaterThan(1)
      const after = await contents(client)
      expect(after['coherex.secret']).toHaveLength(2)
      // and a store that is ahead already cannot go back
      await withStore(async (ahead) => {
        await (await openStore({ owner: parseDatabaseUrl(ahead.database.url), log })).database.close()
        await expect(ahead.restore(older, key.trim())).rejects.toThrow(
          'The tables of this store are newer than the backup',
        )
        await ahead.restore(good, key.trim())
      })
    }))

  test('leaves nothing behind when a row cannot be loaded', () =>
    withStore(async ({ path, database, restore }) => {
      const twice = await forge('twice.tar', (manifest, entries, write) =>
        write(manifest, async (writer) => {
          for (const { name, bytes } of entries.filter((one) => one.name.startsWith('blobs/')))
            await writer.add(name, bytes.length, [bytes])
          for (const { name, bytes } of entries.filter((one) => one.name.startsWith('tables/'))) {
            const content = name.includes('coherex.member/') ? Buffer.concat([bytes, bytes]) : bytes
            await writer.add(name, content.length, [content])
          }
        }),
      )
      await expect(restore(twice, key.trim())).rejects.toThrow(/duplicate key/)
      const blobs = []
      for await (const one of createDiskBlobs(join(path, 'blobs')).list()) blobs.push(one)
      expect(blobs).toEqual([])
      const client = await database.superuser()
      expect((await client.query("SELECT to_regclass('coherex.team') AS team")).rows).toEqual([{ team: null }])
      await client.end()
      await restore(good, key.trim())
    }))

  test('follows no name in the file out of its own places', () =>
    withStore(async ({ restore }) => {
      for (const name of ['blobs/../../escape', 'tables/pg_catalog.pg_class/000001', 'elsewhere']) {
        const file = await forge(`bad-${name.length}.tar`, (manifest, _entries, write) =>
          write(manifest, (writer) => writer.add(name, 1, [Buffer.from('x')])),
        )
        await expect(restore(file, key.trim())).rejects.toThrow(/not a blob name|no such table|something unknown/)
      }
    }))
})

describe('between stores', () => {
  test('an external store becomes an embedded one, and that one becomes an external one of another version', async ({
    skip,
  }) => {
    skip(!hasExternalPostgres, missingExternalPostgres)
    const directory = await makeTestDirectory()
    const external = await startExternalPostgres()
    const database = await createEmptyDatabase(external)
    const settings = { COHEREX_DATA_DIR: directory.path, COHEREX_SECRET_KEY: key.trim() }
    try {
      // the commands themselves, as `coherex backup` runs them
      const restored = await runOperate(['backup', 'restore', good, '--json'], settings)
      expect({ code: restored.code, stderr: restored.stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(restored.stdout)).toMatchObject({ file: good, blobs: 1 })

      const embedded = readConfig(settings, '/')
      const installation = await openInstallation(embedded, log)
      const team = owner.me.team?.id ?? ''
      const rooms = { database: installation.store.database, keyRing: createKeyRing(key.trim()) }
      expect(await openSecret(rooms, team, 'TOKEN')).toBe(value)
      // while it is open, as a running server has it
      const again = await backUp('again.tar', { config: embedded })
      const pid = await embeddedPid(directory.path)
      const before = await contents(
        await connectOwner({
          ...embeddedOwner(await findEmbeddedPostgres(join(directory.path, 'postgres'))),
          user: 'postgres',
        }),
      )
      await installation.close()
      expect(isAlive(pid)).toBe(false)

      // and while it is not: the database runs for as long as the command
      const stopped = await runOperate(['backup', 'create', join(folder.path, 'stopped.tar')], settings)
      expect(stopped).toMatchObject({ code: 0, stderr: '' })
      expect(stopped.stdout).toMatch(/^Wrote \d+ rows and 1 files to .*\nIt does not hold the secret key/)

      const other = await makeTestDirectory()
      const target = readConfig({ ...settings, COHEREX_DATA_DIR: other.path, DATABASE_URL: database.url }, '/')
      await restoreBackup({ config: target, log, signal, file: again })
      expect(await contents(await database.superuser())).toEqual(before)
      await other.remove()
    } finally {
      await database.drop()
      await external.stop()
      await directory.remove()
    }
  }, 120_000)

  test('a usage mistake ends with 2, a failure with 1, each in one line or as JSON', async () => {
    const settings = { COHEREX_DATA_DIR: folder.path, DATABASE_URL: server.database.url }
    const [usage, failed] = await Promise.all([
      runOperate(['backup', 'make'], settings),
      runOperate(['user', 'reset', 'nobody@example.com', '--json'], settings),
    ])
    expect(usage.code).toBe(2)
    expect(usage.stderr).toMatch(/^coherex: There is no command "backup make"\n\nUsage:/)
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(failed.stderr)).toEqual({
      error: { code: 'conflict', message: 'Nobody here has the e-mail nobody@example.com' },
    })
  })
})

interface Entry {
  name: string
  bytes: Buffer
}
type Write = (manifest: BackupManifest, fill?: (writer: BackupWriter) => Promise<void>) => Promise<void>

/** A file whose checksums are right and whose content is not. */
async function forge(
  name: string,
  make: (manifest: BackupManifest, entries: Entry[], write: Write) => Promise<void>,
): Promise<string> {
  const file = join(folder.path, name)
  const entries: Entry[] = []
  const manifest = await readBackup(good, async (entry) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of entry.content) chunks.push(chunk)
    entries.push({ name: entry.name, bytes: Buffer.concat(chunks) })
  })
  await make(manifest, entries, async (next, fill = async () => undefined) => {
    await writeBackup(file, next, fill)
  })
  return file
}
