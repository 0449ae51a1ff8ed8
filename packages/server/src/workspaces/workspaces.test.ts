import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actFor } from '../base/index.ts'
import type { DocumentName } from './document/document-store.ts'
import type { Operation } from './files/operation.ts'
import { anna, ben, robot, startTestWorkspaces, textAt, type TestWorkspaces } from './test-workspaces.ts'
import { changesSince, lastVersions } from './versions/changes-since.ts'

let world: TestWorkspaces

beforeAll(async () => {
  world = await startTestWorkspaces()
})
afterAll(() => world.stop())

const bytes = (text: string) => [Buffer.from(text)]
const write = (name: DocumentName, path: string, text: string, options: Partial<Operation> = {}) =>
  world.workspaces.files.write(name, { author: anna, ...options, path, bytes: bytes(text) })
const read = (name: DocumentName, path: string, version?: number) => textAt(world.workspaces, name, path, version)
const collect = async (chunks: AsyncIterable<Buffer>) => {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}
const paths = async (name: DocumentName, version?: number) =>
  (await world.workspaces.files.list(name, { version })).items.map(({ path }) => path)

describe('files', () => {
  test('are written, read, listed, moved and deleted, each change a version', async () => {
    const name = await world.make()
    expect(await write(name, 'src/a.ts', 'one\n')).toEqual({ version: 1 })
    expect(await write(name, './src//b.ts', 'two\n', { message: 'second' })).toEqual({ version: 2 })
    expect(await world.workspaces.files.list(name, { globs: ['src/b*'] })).toMatchObject({
      version: 2,
      items: [{ path: 'src/b.ts', kind: 'text', size: 4, version: 2 }],
    })
    expect(await world.workspaces.files.move(name, { author: ben, from: 'src', to: 'lib' })).toEqual({ version: 3 })
    expect(await paths(name)).toEqual(['lib/a.ts', 'lib/b.ts'])
    expect(await world.workspaces.files.remove(name, { author: anna, path: 'lib/a.ts' })).toEqual({ version: 4 })
    expect([await paths(name, 1), await paths(name, 2), await paths(name, 3), await paths(name, 4)]).toEqual([
      ['src/a.ts'],
      ['src/a.ts', 'src/b.ts'],
      ['lib/a.ts', 'lib/b.ts'],
      ['lib/b.ts'],
    ])
    const { items } = await world.workspaces.versions.list(name, { limit: 10 })
    expect(items.map(({ number, author, message, changes }) => [number, author.name, message, changes])).toEqual([
      [4, 'Anna', null, [{ path: 'lib/a.ts', change: 'deleted' }]],
      [
        3,
        'Ben',
        null,
        [
          { path: 'lib/a.ts', change: 'moved', from: 'src/a.ts' },
          { path: 'lib/b.ts', change: 'moved', from: 'src/b.ts' },
        ],
      ],
      [2, 'Anna', 'second', [{ path: 'src/b.ts', change: 'added' }]],
      [1, 'Anna', null, [{ path: 'src/a.ts', change: 'added' }]],
    ])
  })

  test('a write that changes nothing makes no version', async () => {
    const name = await world.make()
    await write(name, 'a', 'same')
    expect(await write(name, 'a', 'same')).toEqual({ version: 1 })
  })

  test('an edit replaces what is there exactly once, or says how often and where', async () => {
    const name = await world.make()
    await write(name, 'a.txt', 'one\ntwo\none\nthree 😀\n')
    const edit = (search: string, replace: string, more: Partial<Operation> = {}) =>
      world.workspaces.files.edit(name, { author: robot, path: 'a.txt', search, replace, ...more })
    await expect(edit('one', '1')).rejects.toMatchObject({
      code: 'conflict',
      details: { path: 'a.txt', matches: 2, lines: [1, 3] },
    })
    await expect(edit('four', '4')).rejects.toMatchObject({ code: 'conflict', details: { matches: 0 } })
    expect(await edit('two\none', '2')).toEqual({ version: 2 })
    expect(await edit('😀', '😁')).toEqual({ version: 3 })
    expect(await read(name, 'a.txt')).toBe('one\n2\nthree 😁\n')
    await expect(edit('one', '1', { expectedVersion: 2 })).rejects.toMatchObject({ code: 'conflict' })
    expect(await edit('one', '1', { expectedVersion: 3 })).toEqual({ version: 4 })
  })

  test('expectedVersion refuses a file that has changed, or that should not be there', async () => {
    const name = await world.make()
    await write(name, 'a', '1')
    await write(name, 'b', '1')
    await expect(write(name, 'a', '2', { expectedVersion: 0 })).rejects.toMatchObject({ code: 'conflict' })
    // b changed since, a did not
    expect(await write(name, 'a', '2', { expectedVersion: 1 })).toEqual({ version: 3 })
    await expect(write(name, 'a', '3', { expectedVersion: 1 })).rejects.toMatchObject({
      code: 'conflict',
      details: { path: 'a', expectedVersion: 1, version: 3 },
    })
    expect(await write(name, 'new', '1', { expectedVersion: 0 })).toEqual({ version: 4 })
    await world.workspaces.files.remove(name, { author: anna, path: 'a' })
    await expect(write(name, 'a', '4', { expectedVersion: 3 })).rejects.toMatchObject({ code: 'conflict' })
  })

  test('expectedHash refuses a file that is another now, typed to the last character, or that is not there', async () => {
    const name = await world.make()
    const hashNow = async (path: string) => (await world.workspaces.files.read(name, path)).hash
    await write(name, 'a', 'one')
    await write(name, 'x.bin', '\0')
    const [before, binary] = [await hashNow('a'), await hashNow('x.bin')]
    expect(await write(name, 'a', 'two', { author: ben, expectedHash: ['else', before] })).toEqual({ version: 3 })
    const late = {
      code: 'conflict',
      details: { path: 'a', expectedHash: [before], hash: await hashNow('a'), version: 3 },
    }
    await expect(write(name, 'a', 'three', { expectedHash: [before] })).rejects.toMatchObject(late)
    // merged or not: whoever expects what was read is refused
    await expect(write(name, 'a', 'three', { readVersion: 1, expectedHash: [before] })).rejects.toMatchObject({
      code: 'conflict',
    })
    const remove = (path: string, expectedHash: '*' | string[]) =>
      world.workspaces.files.remove(name, { author: anna, path, expectedHash })
    await expect(remove('a', [before])).rejects.toMatchObject(late)
    expect(await remove('x.bin', [binary])).toEqual({ version: 4 })
    await expect(write(name, 'x.bin', '1', { expectedHash: '*' })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Cannot change "x.bin": it is not there',
    })
    expect(await write(name, 'a', 'three', { expectedHash: '*' })).toEqual({ version: 5 })
  })

  test('a file that another server process has just made is there', async () => {
    const name = await world.make()
    const other = await world.another()
    await other.files.list(name)
    for (let number = 0; number < 10; number++) {
      await write(name, `${number}.txt`, `${number}`)
      expect(await textAt(other, name, `${number}.txt`)).toBe(`${number}`)
    }
  })

  test('a binary file is not overwritten when others replaced it since it was read', async () => {
    const name = await world.make()
    await write(name, 'image', '\0 first')
    await write(name, 'image', '\0 of Anna')
    const late = write(name, 'image', '\0 of Ben', { author: ben, readVersion: 1 })
    await expect(late).rejects.toMatchObject({ code: 'conflict', details: { path: 'image', readVersion: 1 } })
    expect(await read(name, 'image')).toBe('\0 of Anna')
    expect(await write(name, 'image', '\0 of Ben', { author: ben, readVersion: 2 })).toEqual({ version: 3 })
    expect(await write(name, 'fresh', '\0', { readVersion: 3 })).toEqual({ version: 4 })
    await write(name, 'image', 'a text now')
    await expect(write(name, 'image', '\0', { readVersion: 4 })).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a write with readVersion undoes no deletion and no change of kind by others', async () => {
    const name = await world.make()
    await write(name, 'gone.txt', 'a\n')
    await write(name, 'empty.txt', '')
    await world.workspaces.files.remove(name, { author: ben, path: 'gone.txt' })
    await write(name, 'empty.txt', '\0')
    expect(await write(name, 'gone.txt', 'a\n', { readVersion: 2 })).toEqual({ version: 4 })
    expect(await write(name, 'empty.txt', '', { readVersion: 2 })).toEqual({ version: 4 })
    expect(await paths(name)).toEqual(['empty.txt'])
    await expect(write(name, 'gone.txt', 'b\n', { readVersion: 2 })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Cannot merge "gone.txt": it was deleted since version 2',
    })
    await expect(write(name, 'empty.txt', 'text', { readVersion: 2 })).rejects.toMatchObject({ code: 'conflict' })
    expect(await read(name, 'empty.txt')).toBe('\0')
  })

  test('bytes that are no text, and long texts, are blobs and keep their versions', async () => {
    const name = await world.make()
    const binary = Buffer.from([0, 255, 1, 254])
    await world.workspaces.files.write(name, { author: anna, path: 'x.bin', bytes: [binary] })
    await write(name, 'long.txt', 'x'.repeat(1_000_001))
    await write(name, 'x.bin', 'text now')
    const { items } = await world.workspaces.files.list(name)
    expect(items.map(({ path, kind, size }) => [path, kind, size])).toEqual([
      ['long.txt', 'blob', 1_000_001],
      ['x.bin', 'text', 8],
    ])
    const old = await world.workspaces.files.read(name, 'x.bin', 1)
    expect(old).toMatchObject({ kind: 'blob', size: 4, version: 1 })
    expect(await collect(old.body as AsyncIterable<Buffer>)).toEqual([binary])
  })

  test('a file cannot lie where a folder is, nor a folder where a file is', async () => {
    const name = await world.make()
    await write(name, 'a/b', '1')
    await expect(write(name, 'a', '1')).rejects.toMatchObject({ code: 'conflict' })
    await expect(write(name, 'a/b/c', '1')).rejects.toMatchObject({ code: 'conflict' })
    await expect(world.workspaces.files.move(name, { author: anna, from: 'a', to: 'a/c' })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await paths(name)).toEqual(['a/b'])
  })

  test('paths cannot climb or carry what is no name', async () => {
    const name = await world.make()
    for (const path of ['..', '../x', 'a/../../x', '/', '', 'a\0b', 'a\\b', 'a\nb', '\ud800', 'x'.repeat(300)]) {
      await expect(write(name, path, '1'), JSON.stringify(path)).rejects.toMatchObject({ code: 'invalid_input' })
    }
    expect(await paths(name)).toEqual([])
  })
})

describe('many changes at once', () => {
  const change = (name: DocumentName, more: Partial<Parameters<typeof world.workspaces.files.changeMany>[1]>) =>
    world.workspaces.files.changeMany(name, { author: anna, written: [], removed: [], ...more })
  const file = (path: string, text: string, more: object = {}) => ({ path, bytes: Buffer.from(text), ...more })

  test('are one version: written, merged with what others did, and deleted', async () => {
    const name = await world.make()
    await write(name, 'a.txt', 'one\ntwo\nthree\n')
    await write(name, 'old.txt', 'old\n')
    await write(name, 'x.bin', '\0')
    await write(name, 'a.txt', 'one\ntwo\n3\n', { author: ben })
    const written = [
      file('a.txt', '1\ntwo\nthree\n', { readVersion: 3 }),
      file('./new.txt', 'old\n', { expectedVersion: 0 }),
      // what was no text when it was read may become one while nobody else changes it
      file('x.bin', 'text', { readVersion: 3 }),
    ]
    const removed = [{ path: 'old.txt', expectedVersion: 3 }, { path: 'never.txt' }]
    expect(await change(name, { written, removed, message: 'all' })).toEqual({ version: 5 })
    expect(await world.workspaces.versions.get(name, 5)).toMatchObject({
      message: 'all',
      changes: [
        { path: 'a.txt', change: 'changed' },
        { path: 'new.txt', change: 'moved', from: 'old.txt' },
        { path: 'x.bin', change: 'changed' },
      ],
    })
    expect(await read(name, 'a.txt')).toBe('1\ntwo\n3\n')
    // a folder takes the place of a file, and what changes nothing is no version
    expect(await change(name, { written: [file('a.txt/b', '1')], removed: [{ path: 'a.txt' }] })).toEqual({
      version: 6,
    })
    expect(await change(name, { written: [file('a.txt/b', '1')] })).toEqual({ version: 6 })
  })

  test('are refused together, and all that clashes is named', async () => {
    const name = await world.make()
    for (const path of ['a.txt', 'b.bin', 'c.txt']) await write(name, path, path === 'b.bin' ? '\0' : 'one\n')
    for (const path of ['a.txt', 'b.bin', 'c.txt']) await write(name, path, path === 'b.bin' ? '\0 2' : 'two\n')
    const fine = file('fine.txt', 'fine')
    const late = change(name, { written: [fine, file('a.txt', 'three\n', { readVersion: 3 })] })
    await expect(late).rejects.toMatchObject({
      code: 'conflict',
      message: 'Cannot merge "a.txt": others changed the same lines since version 3',
      details: { conflicts: [{ path: 'a.txt', readVersion: 3 }] },
    })
    const others = change(name, {
      written: [fine, file('b.bin', '\0 3', { readVersion: 3 }), file('a.txt', '1', { expectedVersion: 0 })],
      removed: [{ path: 'c.txt', expectedVersion: 3 }],
    })
    await expect(others).rejects.toMatchObject({
      details: {
        conflicts: [
          { path: 'a.txt', expectedVersion: 0 },
          { path: 'c.txt', expectedVersion: 3 },
          { path: 'b.bin', readVersion: 3 },
        ],
      },
    })
    const twice = change(name, { written: [fine], removed: [{ path: 'a/../fine.txt' }] })
    await expect(twice).rejects.toMatchObject({ code: 'invalid_input' })
    const long = change(name, { written: Array.from({ length: 11 }, (_, at) => file(`${at}`, 'y'.repeat(1_000_000))) })
    await expect(long).rejects.toMatchObject({ code: 'too_large' })
    expect(await paths(name)).toEqual(['a.txt', 'b.bin', 'c.txt'])
  })
})

describe('limits', () => {
  test('too much text is refused and nothing is lost', async () => {
    const name = await world.make()
    const megabyte = Buffer.from('y'.repeat(1_000_000))
    const files = Array.from({ length: 10 }, (_, at) => ({ path: `${at}.txt`, bytes: megabyte }))
    await world.workspaces.files.writeAll(name, files, { author: anna })
    await expect(write(name, 'more.txt', 'z')).rejects.toMatchObject({ code: 'too_large' })
    expect((await paths(name)).length).toBe(10)
    expect(await write(name, '0.txt', 'less')).toEqual({ version: 2 })
    expect(await write(name, 'more.txt', 'z')).toEqual({ version: 3 })
  })
})

describe('versions', () => {
  test('are compared file by file, and restored as a new one', async () => {
    const name = await world.make()
    await write(name, 'a.txt', 'one\ntwo\nthree\n')
    await write(name, 'gone.txt', 'gone')
    await world.workspaces.files.remove(name, { author: anna, path: 'gone.txt' })
    await write(name, 'a.txt', 'one\n2\nthree\n')
    await write(name, 'new.txt', 'new\n')
    const { items } = await world.workspaces.versions.diff(name, { from: 2 })
    expect(items).toEqual([
      {
        path: 'a.txt',
        change: 'changed',
        binary: false,
        diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
      },
      {
        path: 'gone.txt',
        change: 'deleted',
        binary: false,
        diff: '--- a/gone.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-gone\n\\ No newline at end of file\n',
      },
      {
        path: 'new.txt',
        change: 'added',
        binary: false,
        diff: '--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+new\n',
      },
    ])
    expect(await world.workspaces.versions.restore(name, { number: 2, author: ben })).toEqual({ version: 6 })
    expect(await paths(name)).toEqual(['a.txt', 'gone.txt'])
    expect(await read(name, 'a.txt')).toBe('one\ntwo\nthree\n')
    expect(await read(name, 'new.txt', 5)).toBe('new\n')
    expect(await world.workspaces.versions.restore(name, { number: 5, author: ben, paths: ['new.txt'] })).toEqual({
      version: 7,
    })
    expect(await paths(name)).toEqual(['a.txt', 'gone.txt', 'new.txt'])
    await expect(world.workspaces.versions.restore(name, { number: 99, author: ben })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('a long history of a long text is small in the store', async () => {
    const name = await world.make()
    const lines = Array.from({ length: 2000 }, (_, at) => `line ${at} ${Math.sin(at)}`)
    for (let at = 0; at < 50; at++) await write(name, 'a.txt', lines.with(at * 7, `changed ${at}`).join('\n'))
    expect(await read(name, 'a.txt', 30)).toBe(lines.with(29 * 7, 'changed 29').join('\n'))
    const stored = await world.database.transaction({ team: name.teamId }, (transaction) =>
      transaction.execute<{ bytes: number }>(
        `SELECT sum(stored_bytes)::int AS bytes FROM coherex.workspace_content WHERE workspace_id = '${name.workspaceId}'`,
      ),
    )
    expect(stored.rows[0]?.bytes).toBeLessThan(50_000)
  })
})

describe('search', () => {
  test('finds text and regular expressions, line by line', async () => {
    const name = await world.make()
    await write(name, 'a.txt', 'Apple\nbanana apple\n')
    await write(name, 'b.md', 'an apple a day\n')
    const find = (pattern: string, more: object = {}) =>
      world.workspaces.files.search(name, { pattern, isRegex: false, matchCase: false, most: 10, ...more })
    expect(await find('apple')).toEqual({
      items: [
        { path: 'a.txt', line: 1, column: 1, text: 'Apple' },
        { path: 'a.txt', line: 2, column: 8, text: 'banana apple' },
        { path: 'b.md', line: 1, column: 4, text: 'an apple a day' },
      ],
      truncated: false,
    })
    expect((await find('apple', { matchCase: true, globs: ['*.txt'] })).items.map(({ line }) => line)).toEqual([2])
    expect((await find('^a.*y$', { isRegex: true })).items.map(({ path }) => path)).toEqual(['b.md'])
    expect(await find('a', { most: 1 })).toMatchObject({ truncated: true })
    await expect(find('(?=a)', { isRegex: true })).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

test('Scratch is for its person alone in memory too, and what happens in it sets nothing off', async () => {
  const { teamId, workspaces, database } = world
  const actor = { kind: 'system' as const, name: 'Test' }
  const asAnna = <T>(work: () => Promise<T>) => actFor(anna.id, work)
  const { id } = await asAnna(() => workspaces.openScratch({ teamId, author: anna, actor }, anna.id))
  const name = { teamId, workspaceId: id }
  await asAnna(() => write(name, 'a.txt', 'mine\n'))
  // it is open now
  const tries: (() => Promise<unknown>)[] = [
    () => workspaces.openDocument(teamId, id),
    () => write(name, 'a.txt', 'not mine\n'),
  ]
  for (const work of tries) {
    await expect(actFor(ben.id, work)).rejects.toMatchObject({ code: 'not_found' })
    await expect(work()).rejects.toMatchObject({ code: 'not_found' })
  }
  const elsewhere = await world.another()
  await asAnna(() => elsewhere.files.write(name, { author: anna, path: 'b.txt', bytes: bytes('b\n') }))
  // the word of another process comes for nobody: it must not end what is open here
  await expect.poll(() => asAnna(() => paths(name))).toEqual(['a.txt', 'b.txt'])
  expect(await asAnna(() => read(name, 'a.txt'))).toBe('mine\n')
  const found = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    Promise.all([changesSince(transaction, teamId, {}), lastVersions(transaction, teamId)]),
  )
  expect(JSON.stringify(found)).not.toContain(id)
})
