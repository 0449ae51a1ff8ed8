import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CoherexError, defaultPackagePolicy, type PackagePolicy } from '@coherex/contract'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database/test-database.ts'
import type { TeamCaller } from '../access/index.ts'
import { openStore, parseDatabaseUrl, type BusEvent, type Database, type EventBus } from '../base/index.ts'
import { createPackages, type PackageVerbs } from './create-packages.ts'
import { fetchAhead } from './fetch-ahead.ts'
import { prunePackages } from './prune-locks.ts'
import { createTestSource, type TestSource } from './test-source.ts'

const log = pino({ level: 'silent' })
let own: TestDatabase
let database: Database
let superuser: pg.Client
let directory: string
let source: TestSource
let packages: PackageVerbs
let heard: BusEvent[] = []
const listeners = new Set<(event: BusEvent) => void>()
const events: EventBus = {
  async publish(event) {
    heard.push(event)
    for (const listener of listeners) listener(event)
  },
  subscribe(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  close: async () => {},
}

const ann = { teamId: 'team_a', person: { id: 'person_1', name: 'Ann' } } as TeamCaller
const bob = { teamId: 'team_b', person: { id: 'person_2', name: 'Bob' } } as TeamCaller

beforeAll(async () => {
  own = await createTestDatabase()
  database = (await openStore({ owner: parseDatabaseUrl(own.url), log })).database
  superuser = await own.superuser()
})
beforeEach(async () => {
  heard = []
  await superuser.query(
    `TRUNCATE coherex.team CASCADE; INSERT INTO coherex.team VALUES ('team_a', 'A'), ('team_b', 'B')`,
  )
  directory = await mkdtemp(join(tmpdir(), 'coherex-packages-'))
  source = createTestSource('javascript', {
    'es-toolkit': ['1.38.0', '1.39.0'],
    '@scope/one': ['2.0.0'],
    evil: ['6.6.6'],
  })
  packages = await open()
})
afterEach(async () => {
  packages.close()
  await rm(directory, { recursive: true })
})
afterAll(async () => {
  await superuser.end()
  await database.close()
  await own.drop()
})

const open = (mostBytes = 1e9) =>
  createPackages({ database, events, log, directory, sources: [source], key: Buffer.alloc(32, 7), mostBytes })
const signal = () => AbortSignal.timeout(20_000)
const prepare = (requirements: string[], caller = ann) =>
  packages.prepare(caller, { language: 'javascript', requirements }, { signal: signal() })
const rules = (change: Partial<PackagePolicy>, caller = ann) =>
  packages.setPolicy(caller, { ...defaultPackagePolicy, ...change })
const audits = async (action: string) =>
  (
    await superuser.query(
      `SELECT team_id, actor_name, target_name, details FROM coherex.audit_event WHERE action = $1 ORDER BY target_name`,
      [action],
    )
  ).rows
const setsOnDisk = () => readdir(packages.setsDirectory)

test('prepare() resolves once, lays out once, and tells the audit log who brought which package', async () => {
  const lines: string[] = []
  const first = await packages.prepare(
    ann,
    { language: 'javascript', requirements: ['npm:es-toolkit@1', '@scope/one'] },
    { signal: signal(), onProgress: (line) => lines.push(line) },
  )
  expect(first.lock).toEqual({
    hash: first.set.hash,
    language: 'javascript',
    requirements: ['npm:es-toolkit@1', '@scope/one'],
    packages: [
      { name: '@scope/one', version: '2.0.0', integrity: expect.stringMatching(/^sha256-/), size: 100 },
      { name: 'es-toolkit', version: '1.39.0', integrity: expect.stringMatching(/^sha256-/), size: 100 },
    ],
  })
  expect(first.set).toEqual({
    hash: first.lock.hash,
    language: 'javascript',
    folder: first.lock.hash,
    modules: ['@scope/one', 'es-toolkit'],
  })
  expect(lines).toEqual([
    'Resolving @scope/one, es-toolkit',
    'Fetching 1 of 2 packages, 100 B',
    'Fetching 2 of 2 packages, 200 B',
  ])
  expect(await setsOnDisk()).toEqual([first.set.folder])
  expect((await stat(packages.setsDirectory)).mode & 0o777).toBe(0o711)

  expect((await prepare(['@scope/one', 'es-toolkit@1'])).set).toEqual(first.set)
  expect(source.calls).toEqual({ resolve: 1, layOut: 1 })
  expect((await audits('package.add')).map(({ actor_name, target_name }) => [actor_name, target_name])).toEqual([
    ['Ann', '@scope/one 2.0.0'],
    ['Ann', 'es-toolkit 1.39.0'],
  ])
  expect(heard).toEqual([{ teamId: 'team_a', type: 'package', id: first.lock.hash }])
})

test('a lock is remembered by the store: a server that starts anew resolves and fetches nothing', async () => {
  const { set } = await prepare(['es-toolkit'])
  packages.close()
  source.missing = 'there is no network'
  packages = await open()
  expect((await prepare(['es-toolkit'])).set).toEqual(set)
  await expect(prepare(['@scope/one'])).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Cannot add @scope/one: there is no network. Packages that were used before still work',
  })
})

test('a lock older than a day is used once more while it is resolved anew', async () => {
  const before = await prepare(['es-toolkit'])
  await superuser.query(`UPDATE coherex.package_resolution SET resolved_at = now() - interval '25 hours'`)
  packages.close()
  packages = await open()
  source.releases.set('es-toolkit', ['1.39.0', '1.40.0'])
  expect((await prepare(['es-toolkit'])).lock).toEqual(before.lock)
  await expect.poll(async () => (await prepare(['es-toolkit'])).lock.packages[0]?.version).toBe('1.40.0')
  expect(source.calls.resolve).toBe(2)
})

test('two teams that race for one name wait for one fetch, and each has its lock and its audit line', async () => {
  const gate = Promise.withResolvers<void>()
  source.gate = gate.promise
  const both = Promise.all([prepare(['es-toolkit']), prepare(['es-toolkit'], bob)])
  await expect.poll(() => source.calls.layOut).toBe(1)
  gate.resolve()
  const [a, b] = await both
  expect(a.set).toEqual(b.set)
  expect(source.calls.layOut).toBe(1)
  expect((await audits('package.add')).map(({ team_id, actor_name }) => [team_id, actor_name]).sort()).toEqual([
    ['team_a', 'Ann'],
    ['team_b', 'Bob'],
  ])
  expect((await packages.list('team_b', { limit: 9 })).items.map(({ askedBy }) => askedBy)).toEqual(['Bob'])
})

test('one who stops waiting leaves the others’ fetch alone; the last one’s leaving ends it', async () => {
  const gate = Promise.withResolvers<void>()
  source.gate = gate.promise
  const gone = new AbortController()
  const left = packages.prepare(ann, { language: 'javascript', requirements: ['es-toolkit'] }, { signal: gone.signal })
  const stays = prepare(['es-toolkit'], bob)
  await expect.poll(() => source.calls.layOut).toBe(1)
  gone.abort(new Error('cancelled'))
  await expect(left).rejects.toThrow('cancelled')
  gate.resolve()
  expect((await stays).set.modules).toEqual(['es-toolkit'])

  const alone = new AbortController()
  const never = Promise.withResolvers<void>()
  source.gate = never.promise
  const only = packages.prepare(ann, { language: 'javascript', requirements: ['@scope/one'] }, { signal: alone.signal })
  await expect.poll(() => source.calls.layOut).toBe(2)
  alone.abort(new Error('cancelled'))
  await expect(only).rejects.toThrow('cancelled')
  never.resolve()
  await expect.poll(() => readdir(join(directory, 'making'))).toEqual([])
  expect(await setsOnDisk()).toHaveLength(1)
})

test('a lock whose hash no longer matches its packages is refused, and nothing is fetched', async () => {
  const { lock, set } = await prepare(['es-toolkit'])
  await rm(join(packages.setsDirectory, set.folder), { recursive: true })
  await superuser.query(
    `UPDATE coherex.package_lock SET packages = jsonb_set(packages, '{0,integrity}', '"sha256-ZXZpbA=="')`,
  )
  packages.close()
  packages = await open()
  await expect(packages.prepareLock(ann, lock.hash, { signal: signal() })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('no longer matches its packages'),
  })
  expect(source.calls.layOut).toBe(1)
  expect(await setsOnDisk()).toEqual([])
})

test('prepareLock() fetches again what was removed from disk, of the same team only', async () => {
  const { lock, set } = await prepare(['es-toolkit'])
  await rm(join(packages.setsDirectory, set.folder), { recursive: true })
  expect((await packages.prepareLock(ann, lock.hash, { signal: signal() })).set).toEqual(set)
  expect(source.calls.layOut).toBe(2)
  await expect(packages.prepareLock(bob, lock.hash, { signal: signal() })).rejects.toMatchObject({ code: 'not_found' })
})

test('the rules of a team hold for what is cached, locked or named otherwise', async () => {
  const { lock } = await prepare(['es-toolkit'])
  await prepare(['evil'], bob)
  await rules({ mode: 'none' })
  const none = { code: 'forbidden', message: expect.stringContaining('allow no packages') }
  await expect(prepare(['es-toolkit'])).rejects.toMatchObject(none)
  await expect(packages.prepareLock(ann, lock.hash, { signal: signal() })).rejects.toMatchObject(none)
  expect(await packages.refusal('team_a', 'javascript', ['es-toolkit'])).toMatchObject(none)
  expect(await packages.refusal('team_b', 'javascript', ['es-toolkit'])).toBeUndefined()

  await rules({ mode: 'listed', allow: ['es-toolkit@1', '@scope/*'] })
  expect((await prepare(['es-toolkit'])).lock.packages[0]?.version).toBe('1.39.0')
  await prepare(['@scope/one'])
  const unlisted = { code: 'forbidden', message: expect.stringContaining('not on the list') }
  await expect(prepare(['es-toolkit', 'evil'])).rejects.toMatchObject(unlisted)
  for (const asked of [
    'es-toolkit@npm:evil@6',
    'es-toolkit@https://a.test/x.tgz',
    'es-toolkit@file:../evil',
    '../evil',
    'a b',
  ]) {
    await expect(prepare([asked])).rejects.toMatchObject({ code: 'invalid_input' })
  }
  await expect(prepare(['fs'])).rejects.toMatchObject({ message: expect.stringContaining('module of Node') })
  source.releases.set('es-toolkit', ['2.0.0'])
  await rules({ mode: 'listed', allow: ['es-toolkit@1'], minimumAgeDays: 3 })
  await expect(prepare(['es-toolkit'])).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('other versions'),
  })
  expect((await audits('package.policy')).map(({ details }) => details.to.mode)).toEqual(['none', 'listed', 'listed'])
})

test('prepareLock() refuses a version that the list of the team has lost since', async () => {
  const { lock } = await prepare(['es-toolkit'])
  await rules({ mode: 'listed', allow: ['es-toolkit@1.38'] })
  await expect(packages.prepareLock(ann, lock.hash, { signal: signal() })).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('es-toolkit 1.39.0: the list of packages of this team has other versions'),
  })
  await rules({ mode: 'listed', allow: ['es-toolkit@1.39'] })
  expect((await packages.prepareLock(ann, lock.hash, { signal: signal() })).lock.hash).toBe(lock.hash)
})

test('a team whose rules allow less does not get the large set of another team', async () => {
  await prepare(['es-toolkit'], bob)
  const { hash } = (await packages.list('team_b', { limit: 1 })).items[0]!
  const file = join(packages.setsDirectory, hash, 'set.json')
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), bytes: 5 * 1024 * 1024 }))
  packages.close()
  packages = await open()
  await rules({ maxMb: 4 })
  await expect(prepare(['es-toolkit'])).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('4 MB'),
  })
})

test('a set of a team’s own registry lies where no other team can guess it', async () => {
  const asked = { language: 'javascript', requirements: ['es-toolkit'], index: 'https://own.test/' } as const
  const a = await packages.prepare(ann, asked, { signal: signal() })
  const b = await packages.prepare(bob, asked, { signal: signal() })
  expect(a.lock.hash).toBe(b.lock.hash)
  expect(new Set([a.set.folder, b.set.folder, a.lock.hash]).size).toBe(3)
  expect([packages.privateMb('team_a') > 0, packages.privateMb('team_c')]).toEqual([true, 0])
  expect(source.calls).toEqual({ resolve: 2, layOut: 2 })
})

test('sets past the size go, the longest unused first; one that something names stays', async () => {
  const old = await prepare(['es-toolkit'])
  const kept = await prepare(['@scope/one'])
  const used = await prepare(['evil'])
  for (const [at, { set }] of [old, kept].entries()) {
    const long = new Date(Date.now() - (5 - at) * 3_600_000)
    await utimes(join(packages.setsDirectory, set.folder, 'set.json'), long, long)
  }
  await packages.keep('team_a', { kind: 'template', id: 'tpl', name: 'Base' }, [kept.lock.hash])
  packages.close()
  packages = await open(1)
  await packages.tidy()
  expect((await setsOnDisk()).sort()).toEqual([kept.set.folder, used.set.folder].sort())
  const { items } = await packages.list('team_a', { limit: 9 })
  expect(items.map(({ hash, diskBytes, usedBy }) => [hash, diskBytes === null, usedBy])).toEqual([
    [used.lock.hash, false, []],
    [kept.lock.hash, false, [{ kind: 'template', id: 'tpl', name: 'Base' }]],
    [old.lock.hash, true, []],
  ])
  await expect(packages.remove(ann, kept.lock.hash)).rejects.toMatchObject({ code: 'conflict' })
  await packages.keep('team_a', { kind: 'template', id: 'tpl', name: 'Base' }, [])
  await packages.remove(ann, kept.lock.hash)
  await expect(packages.remove(bob, old.lock.hash)).rejects.toMatchObject({ code: 'not_found' })
})

test('sets that a workspace, a tool version or a template names stay past the size, and sources free what no set uses', async () => {
  await superuser.query(`
    INSERT INTO coherex.workspace (team_id, id, name, template, created_by) VALUES ('team_a', 'wsp_1', 'W', 'blank', '{}');
    INSERT INTO coherex.tool (team_id, name, newest_version, created_by, created_by_name) VALUES ('team_a', 'fit', 3, 'person_1', 'Ann');
    INSERT INTO coherex.tool_version (team_id, tool_name, version, state, definition, input_schema, output_schema, note, digest, size, created_by, created_by_name)
      VALUES ('team_a', 'fit', 3, 'approved', '{}', '{}', '{}', '', '', 1, 'person_1', 'Ann')`)
  const owners = [
    { kind: 'workspace', id: 'wsp_1', name: 'W' },
    { kind: 'tool', id: 'fit@3', name: 'fit' },
    { kind: 'template', id: 'tpl', name: 'Base' },
    { kind: 'tool', id: 'fit@2', name: 'fit' },
  ] as const
  const folders: string[] = []
  for (const [at, name] of ['es-toolkit', '@scope/one', 'evil', 'gone'].entries()) {
    source.releases.set('gone', ['1.0.0'])
    const { lock, set } = await prepare([name])
    folders.push(set.folder)
    const long = new Date(Date.now() - 5 * 3_600_000)
    await utimes(join(packages.setsDirectory, set.folder, 'set.json'), long, long)
    await packages.keep('team_a', owners[at]!, [lock.hash])
  }
  let freed = 0
  source.freeUnused = async () => void freed++
  packages.close()
  packages = await open(1)
  await packages.tidy()
  // there is no version 2 of the tool any more
  expect((await setsOnDisk()).sort()).toEqual(folders.slice(0, 3).sort())
  expect(freed).toBe(1)
  packages.close()
  packages = await open()
  await packages.tidy()
  expect(freed).toBe(1)
})

test('prunePackages() forgets locks that nothing names after three months', async () => {
  const { lock } = await prepare(['es-toolkit'])
  await prepare(['@scope/one'])
  await packages.keep('team_a', { kind: 'template', id: 'tpl', name: 'Base' }, [lock.hash])
  const left = async () => {
    // again where the use of before is only written now
    await superuser.query(`UPDATE coherex.package_lock SET last_used_at = now() - interval '91 days'`)
    await prunePackages(database)
    return (await packages.list('team_a', { limit: 9 })).items.map(({ hash }) => hash)
  }
  await expect.poll(left).toEqual([lock.hash])
})

test('a machine without a registry says so before it is asked, unless the answer is known', async () => {
  await prepare(['es-toolkit'])
  source.missing = 'uv is missing'
  const missing = (requirements: string[], language: 'javascript' | 'python' = 'javascript') =>
    packages.missing('team_a', { language, requirements })
  expect(await missing(['es-toolkit'])).toBeUndefined()
  expect(await missing(['@scope/one'])).toMatchObject({
    code: 'unavailable',
    message: 'Cannot add @scope/one: uv is missing. Packages that were used before still work',
  })
  expect(await missing(['polars'], 'python')).toMatchObject({ message: expect.stringContaining('COHEREX_PYPI_INDEX') })
})

test('packages fetched ahead resolve without a registry, within the rules of the team', async () => {
  source.isKept = async () => true
  await fetchAhead({ source, names: ['es-toolkit'], directory, log, signal: signal() })
  source.missing = 'UV_OFFLINE is set'
  const asked = { language: 'javascript', requirements: ['es-toolkit'] } as const
  expect(await packages.missing('team_a', asked)).toBeUndefined()
  expect((await prepare(['es-toolkit'])).lock.packages).toMatchObject([{ name: 'es-toolkit', version: '1.39.0' }])
  const away = { code: 'unavailable', message: expect.stringContaining('Packages that were used before still work') }
  await expect(prepare(['es-toolkit', 'evil'])).rejects.toMatchObject(away)
  await rules({ minimumAgeDays: 30 }, bob)
  await expect(prepare(['es-toolkit'], bob)).rejects.toMatchObject(away)
  await rules({ mode: 'listed', allow: ['es-toolkit@1.38'], minimumAgeDays: 2 }, bob)
  await expect(prepare(['es-toolkit'], bob)).rejects.toMatchObject({
    code: expect.stringMatching(/forbidden|unavailable/),
  })
})

test('several packages resolve without a registry, where each was used alone or fetched ahead', async () => {
  source.isKept = async () => true
  await fetchAhead({ source, names: ['es-toolkit'], directory, log, signal: signal() })
  await prepare(['@scope/one'])
  source.missing = 'UV_OFFLINE is set'
  expect(await packages.missing('team_a', { language: 'javascript', requirements: ['@scope/one', 'es-toolkit'] })).toBe(
    undefined,
  )
  const { lock, set } = await prepare(['es-toolkit', '@scope/one'])
  expect(lock.packages).toMatchObject([{ name: '@scope/one' }, { name: 'es-toolkit', version: '1.39.0' }])
  expect(set.modules).toEqual(['@scope/one', 'es-toolkit'])
  // another team did not use the one
  await expect(prepare(['es-toolkit', '@scope/one'], bob)).rejects.toMatchObject({ code: 'unavailable' })
})

test('a registry that does not answer is no reason to do without what was fetched ahead', async () => {
  await fetchAhead({ source, names: ['es-toolkit'], directory, log, signal: signal() })
  source.resolve = async () => {
    throw new CoherexError('unavailable', 'The registry cannot be reached')
  }
  expect((await prepare(['es-toolkit'])).lock.packages).toMatchObject([{ version: '1.39.0' }])
  await expect(prepare(['evil'])).rejects.toMatchObject({ message: 'The registry cannot be reached' })
})

test('prune() forgets what is unused, and pages of the list find by name', async () => {
  await prepare(['es-toolkit'])
  await prepare(['@scope/one'])
  await prepare(['es-toolkit'], bob)
  expect(await packages.prune(ann, 1)).toEqual({ removed: 0, freedBytes: 0 })
  const page = await packages.list('team_a', { limit: 1 })
  const next = await packages.list('team_a', { limit: 1, cursor: page.nextCursor! })
  expect([page, next].map(({ items }) => items.map(({ requirements }) => requirements))).toEqual([
    [['@scope/one']],
    [['es-toolkit']],
  ])
  expect((await packages.list('team_a', { limit: 9, search: 'TOOLKIT' })).items).toHaveLength(1)
  await superuser.query(`UPDATE coherex.package_lock SET last_used_at = now() - interval '2 days'`)
  for (const folder of await setsOnDisk()) {
    const long = new Date(Date.now() - 48 * 3_600_000)
    await utimes(join(packages.setsDirectory, folder, 'set.json'), long, long)
  }
  // Bob's team still has the other one
  expect(await packages.prune(ann, 1)).toMatchObject({ removed: 2, freedBytes: expect.any(Number) })
  expect(await setsOnDisk()).toHaveLength(1)
  expect((await packages.list('team_a', { limit: 9 })).items).toEqual([])
  expect((await packages.list('team_b', { limit: 9 })).items).toHaveLength(1)
})
