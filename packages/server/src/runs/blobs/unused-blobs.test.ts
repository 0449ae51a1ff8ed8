import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Author } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database/test-database.ts'
import {
  blobFolders,
  blobGraceMs,
  createDiskBlobs,
  openEventBus,
  openStore,
  parseDatabaseUrl,
  type Blobs,
  type Database,
} from '../../base/index.ts'
import { Workspaces } from '../../workspaces/index.ts'
import { pruneRunFiles } from '../record/recover-runs.ts'
import { copyContents, deleteSaved } from '../sandboxes/sandbox-store.ts'
import { UnusedBlobs } from './unused-blobs.ts'

const log = pino({ level: 'silent' })
const teamId = 'team_a'
const anna: Author = { kind: 'person', id: 'per_anna', name: 'Anna', door: 'studio' }
const maker = { teamId, author: anna, actor: { kind: 'person' as const, id: anna.id, name: anna.name } }
let own: TestDatabase
let database: Database
let workspaces: Workspaces
let directory: string
let blobs: Blobs
let unused: UnusedBlobs
const usedAbove = async () => []
const closers: (() => Promise<void> | void)[] = []

beforeAll(async () => {
  own = await createTestDatabase()
  const store = await openStore({ owner: parseDatabaseUrl(own.url), log })
  database = store.database
  directory = await mkdtemp(join(tmpdir(), 'coherex-blobs-'))
  blobs = createDiskBlobs(directory)
  unused = new UnusedBlobs({ database, blobs, log, usedAbove })
  const events = await openEventBus(store.app, log)
  workspaces = new Workspaces({ database, events, blobs, log, releaseBlobs: (...of) => unused.release(...of) })
  closers.push(
    () => workspaces.close(),
    () => events.close(),
    () => unused.close(),
    () => database.close(),
  )
  await inTeam(sql`INSERT INTO coherex.team VALUES (${teamId}, 'A')`)
  await inTeam(sql`
    INSERT INTO coherex.program (team_id, hash, code, entry, files) VALUES (${teamId}, 'h', '1', 'main.sh', '{}')`)
  await inTeam(sql`
    INSERT INTO coherex.run (team_id, id, person_id, person_name, server_id, status, language, program_hash, request)
    VALUES (${teamId}, 'run_1', 'person_1', 'Ann', 'server', 'succeeded', 'bash', 'h', '{}')`)
})
afterEach(() => vi.useRealTimers())
afterAll(async () => {
  for (const close of closers) await close()
  await own.drop()
  await rm(directory, { recursive: true })
})

function inTeam(query: ReturnType<typeof sql>) {
  return database.transaction({ team: teamId }, (transaction) => transaction.execute(query))
}

const put = (text: string) => blobs.put(teamId, Buffer.from(text))
const addRunFile = (path: string, hash: string, hours: number) =>
  inTeam(sql`
    INSERT INTO coherex.run_file (team_id, run_id, path, size, hash, expires_at)
    VALUES (${teamId}, 'run_1', ${path}, 1, ${hash}, now() + make_interval(hours => ${hours}))`)
const addSandbox = (id: string) =>
  inTeam(sql`
    INSERT INTO coherex.sandbox
      (team_id, id, name, status, person_id, person_name, server_id, limits, env, idle_timeout_ms)
    VALUES (${teamId}, ${id}, ${id}, 'sleeping', 'person_1', 'Ann', 'server', '{}', '{}', 1000)`)
const addSaved = (id: string, hash: string) =>
  inTeam(sql`
    INSERT INTO coherex.sandbox_file (team_id, sandbox_id, path, size, hash, modified_at)
    VALUES (${teamId}, ${id}, 'file', 1, ${hash}, now())`)

/** Only the clock: timers and the database go on as they are. */
function passTime(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
}

async function left(): Promise<string[]> {
  const hashes = []
  for await (const { hash } of blobs.list()) hashes.push(hash)
  return hashes.toSorted()
}

async function isKept(hash: string): Promise<boolean> {
  return (await left()).includes(hash)
}

test('released bytes that no row names are removed once the grace time is over', async () => {
  const hash = await put('of a run')
  await addRunFile('old', hash, -1)
  await pruneRunFiles(database, (...of) => unused.release(...of))
  await unused.removeReleased()
  expect(await isKept(hash)).toBe(true)
  passTime(blobGraceMs + 1000)
  await unused.removeReleased()
  expect(await isKept(hash)).toBe(false)
})

test.each([
  { how: 'before the look', at: 'release' },
  { how: 'between the look and the removal', at: 'remove' },
])('bytes that someone puts $how stay, though their row comes later', async ({ at }) => {
  const hash = await put(at)
  passTime(2 * blobGraceMs)
  const hasty = new UnusedBlobs({
    ...{ database, log, usedAbove, graceMs: 0 },
    blobs: {
      ...blobs,
      async remove(...name) {
        if (at === 'remove') await put(at)
        await blobs.remove(...name)
      },
    },
  })
  hasty.release(teamId, [hash])
  if (at === 'release') await put(at)
  await hasty.removeReleased()
  await addRunFile(at, hash, 1)
  hasty.release(teamId, [hash])
  passTime(2 * blobGraceMs)
  await hasty.removeReleased()
  await hasty.close()
  expect(await isKept(hash)).toBe(true)
})

test('bytes stay whose row is being copied when it is deleted', async () => {
  const hash = await put('of a fork')
  for (const id of ['box_source', 'box_fork']) await addSandbox(id)
  await addSaved('box_source', hash)
  await database.transaction({ team: teamId }, async (fork) => {
    await copyContents(fork, teamId, 'box_source', 'box_fork')
    const released = await database.transaction({ team: teamId }, (transaction) =>
      deleteSaved(transaction, teamId, 'box_source'),
    )
    unused.release(teamId, released)
    passTime(blobGraceMs - 1000)
    await unused.removeReleased()
  })
  passTime(2000)
  await unused.removeReleased()
  expect(await isKept(hash)).toBe(true)
})

test('a sweep finds bytes that nobody names, and leaves those of every kind of row', async () => {
  const kept = [await put('run file'), await put('saved file'), await put('template file')]
  await addRunFile('kept', kept[0] ?? '', 1)
  await addSandbox('box_sleeping')
  await addSaved('box_sleeping', kept[1] ?? '')
  await inTeam(sql`
    INSERT INTO coherex.template
      (team_id, name, version, description, packages, files, bytes, person_id, person_name)
    VALUES (${teamId}, 'kit', 1, '', '[]', '{}', 1, 'person_1', 'Ann')`)
  await inTeam(sql`
    INSERT INTO coherex.template_file VALUES (${teamId}, 'kit', 1, 'site.py', 1, ${kept[2]})`)
  const { id } = await workspaces.create(maker, { name: 'W', template: 'blank' })
  const name = { teamId, workspaceId: id }
  const write = async (path: string, byte: number) => {
    await workspaces.files.write(name, { author: anna, path, bytes: [Buffer.from([0, byte])] })
    kept.push((await workspaces.files.read(name, path)).hash)
  }
  await write('now.bin', 1)
  await write('before.bin', 2)
  await write('before.bin', 3)
  await write('deleted.bin', 4)
  await workspaces.files.remove(name, { author: anna, path: 'deleted.bin' })
  const archived = await workspaces.create(maker, { name: 'Archived', template: 'blank' })
  await workspaces.files.write(
    { teamId, workspaceId: archived.id },
    { author: anna, path: 'a.bin', bytes: [Buffer.from([0, 5])] },
  )
  kept.push((await workspaces.files.read({ teamId, workspaceId: archived.id }, 'a.bin')).hash)
  await workspaces.update(maker, archived.id, { archived: true })
  const doomed = await workspaces.create(maker, { name: 'Deleted', template: 'blank' })
  await workspaces.files.write(
    { teamId, workspaceId: doomed.id },
    { author: anna, path: 'a.bin', bytes: [Buffer.from([0, 6])] },
  )
  const gone = [(await workspaces.files.read({ teamId, workspaceId: doomed.id }, 'a.bin')).hash, await put('no row')]
  await workspaces.remove(maker, doomed.id)
  const elsewhere = await blobs.put('team_of_others', Buffer.from('not of this installation'))
  for (const folder of blobFolders) {
    for await (const blob of blobs.list({ teamId, folder })) await age(blob.teamId, blob.hash)
  }
  await age('team_of_others', elsewhere)
  const young = await put('no row yet')
  const named = (await left()).filter((hash) => !gone.includes(hash))
  expect(named).toEqual(expect.arrayContaining([...kept, young, elsewhere]))

  // as after a restart: nothing is remembered
  const next = new UnusedBlobs({ database, blobs, log, usedAbove })
  for (const folder of blobFolders) await next.sweep(folder)
  await next.removeReleased()
  expect(await left()).toEqual(expect.arrayContaining(gone))
  passTime(blobGraceMs + 1000)
  await next.removeReleased()
  await next.close()
  expect(await left()).toEqual(named)
})

async function age(team: string, hash: string): Promise<void> {
  const then = new Date(Date.now() - 25 * 60 * 60_000)
  await utimes(join(directory, team, hash.slice(0, 2), hash), then, then)
}

test('what cannot be looked at is tried again', async () => {
  const hash = await put('unlucky')
  let isAway = true
  const flaky = new UnusedBlobs({
    ...{ blobs, log, usedAbove },
    database: {
      ...database,
      async transaction(scope, work) {
        if (isAway) throw new Error('the database is away')
        return database.transaction(scope, work)
      },
    },
  })
  flaky.release(teamId, [hash])
  passTime(blobGraceMs + 1000)
  await flaky.removeReleased()
  expect(await isKept(hash)).toBe(true)
  isAway = false
  passTime(blobGraceMs + 1000)
  await flaky.removeReleased()
  await flaky.close()
  expect(await isKept(hash)).toBe(false)
})

test('bytes of files that a full team was refused do not wait for a sweep', async () => {
  const { id } = await workspaces.create(maker, { name: 'Full', template: 'blank' })
  const name = { teamId, workspaceId: id }
  const before = await left()
  await inTeam(sql`UPDATE coherex.team SET quotas = '{"storageMb": 0}'`)
  const one = { path: 'one.bin', bytes: Buffer.from([0, 7]) }
  const other = { path: 'other.bin', bytes: Buffer.from([0, 8]) }
  const refusal = { code: 'quota_exceeded' }
  await expect(
    workspaces.files.write(name, { author: anna, path: one.path, bytes: [one.bytes] }),
  ).rejects.toMatchObject(refusal)
  await expect(workspaces.files.writeAll(name, [other], { author: anna })).rejects.toMatchObject(refusal)
  await inTeam(sql`UPDATE coherex.team SET quotas = '{}'`)
  expect((await left()).length).toBe(before.length + 2)
  passTime(blobGraceMs + 1000)
  await unused.removeReleased()
  expect((await left()).filter((hash) => !before.includes(hash))).toEqual([])
})

test('every table with a hash is one that is asked, or holds none of blobs', async () => {
  const superuser = await own.superuser()
  const { rows } = await superuser.query<{ name: string }>(`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'coherex' AND column_name = 'hash' ORDER BY table_name`)
  await superuser.end()
  const asked = ['attachment', 'run_file', 'sandbox_file', 'template_file', 'tool_file', 'workspace_content']
  // whatever these two name is in workspace_content as well
  const ofContent = ['workspace_change', 'workspace_file']
  const ofOthers = ['approval', 'mcp_tool', 'package_lock', 'package_resolution', 'package_use', 'program']
  expect(rows.map(({ name }) => name)).toEqual([...asked, ...ofContent, ...ofOthers].toSorted())
})

test('what waits to be removed counts as stored beyond a gigabyte, and no longer when it is gone', async () => {
  const sizes = new Map([
    ['a', 900],
    ['b', 400],
    ['c', 300],
  ])
  const weighed = { ...blobs, size: async (_: string, hash: string) => (sizes.get(hash) ?? 0) * 1024 * 1024 }
  const own = new UnusedBlobs({
    database,
    blobs: { ...weighed, remove: async () => undefined },
    log,
    usedAbove,
    graceMs: 0,
  })
  own.release(teamId, ['a'])
  own.release('team_b', ['a'])
  await Promise.resolve()
  expect(own.waitingMb(teamId)).toBe(0)
  own.release(teamId, ['b', 'c', 'b'])
  await vi.waitFor(() => expect(own.waitingMb(teamId)).toBe(900 + 400 + 300 - 1024))
  expect(own.waitingMb('team_b')).toBe(0)
  await new Promise((resolve) => setTimeout(resolve, 5))
  await own.removeReleased()
  expect(own.waitingMb(teamId)).toBe(0)
  await own.close()
})
