import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { anna, ben, robot, startTestWorkspaces, textAt, type TestWorkspaces } from '../test-workspaces.ts'
import { readLog, readSnapshot, readUpdates, type DocumentName } from './document-store.ts'
import { setText, textOf } from './file-tree.ts'
import { typingRules } from './typing.ts'
import type { WorkspaceDocument } from './workspace-document.ts'

const patience = { timeout: 15_000, interval: 20 }
/** Nobody pauses long enough for a version unless a test wants it. */
const patient = { typing: { pauseMs: 60_000, longestMs: 600_000, sharedMs: 0 }, snapshotBytes: 10_000, idleMs: 60_000 }
let world: TestWorkspaces

beforeAll(async () => {
  world = await startTestWorkspaces(patient)
})
afterAll(() => world.stop())

/** Someone with the document open in an editor of their own. */
class Client {
  readonly doc = new Y.Doc()
  readonly #document: WorkspaceDocument
  readonly #author: typeof anna
  #sent: Promise<unknown>[] = []

  constructor(document: WorkspaceDocument, author = anna) {
    this.#document = document
    this.#author = author
    Y.applyUpdate(this.doc, Y.encodeStateAsUpdate(document.doc), 'server')
    document.onUpdate((update) => Y.applyUpdate(this.doc, update, 'server'))
    this.doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== 'server') this.#sent.push(document.apply(update, author))
    })
  }

  type(path: string, text: string): this {
    this.doc.transact(() => {
      if (!this.doc.getMap('files').has(path)) setText(this.doc, path, path)
      const target = textOf(this.doc, path)
      target.insert(target.length, text)
    })
    return this
  }

  /** Until everything typed is on disk. */
  async acknowledged(): Promise<void> {
    await Promise.all(this.#sent.splice(0))
    void [this.#document, this.#author]
  }
}

const open = async (name: DocumentName, workspaces = world.workspaces) =>
  workspaces.openDocument(name.teamId, name.workspaceId)
const versions = async (name: DocumentName) =>
  (await world.workspaces.versions.list(name, { limit: 100 })).items.toReversed()
const inTeam = <T>(
  work: (transaction: Parameters<Parameters<typeof world.database.transaction>[1]>[0]) => Promise<T>,
) => world.database.transaction({ team: world.teamId }, work)

describe('typing', () => {
  test('a run of keystrokes of one author is one version, another author begins another', async () => {
    const name = await world.make()
    const { document, release } = await open(name)
    const [one, two] = [new Client(document, anna), new Client(document, ben)]
    for (const letter of 'hello') one.type('a.txt', letter)
    await one.acknowledged()
    for (const letter of ' you') two.type('a.txt', letter)
    await two.acknowledged()
    one.type('b.txt', '!')
    await one.acknowledged()
    expect(await world.workspaces.versions.make(name, 'done')).toMatchObject({ number: 3, message: 'done' })
    expect((await versions(name)).map(({ author, changes }) => [author.name, changes])).toEqual([
      ['Anna', [{ path: 'a.txt', change: 'added' }]],
      ['Ben', [{ path: 'a.txt', change: 'changed' }]],
      ['Anna', [{ path: 'b.txt', change: 'added' }]],
    ])
    expect(await textAt(world.workspaces, name, 'a.txt', 1)).toBe('hello')
    expect(await textAt(world.workspaces, name, 'a.txt', 2)).toBe('hello you')
    release()
  })

  test('authors who type at the same moment share a version', async () => {
    const workspaces = await world.another({ ...patient, typing: { ...patient.typing, sharedMs: 60_000 } })
    const name = await world.make()
    const { document, release } = await open(name, workspaces)
    const [one, two] = [new Client(document, anna), new Client(document, ben)]
    one.type('a', 'x')
    two.type('b', 'y')
    one.type('a', 'x')
    await Promise.all([one.acknowledged(), two.acknowledged()])
    await document.closeVersion()
    expect((await versions(name)).map(({ author, coauthors }) => [author.name, coauthors.map((o) => o.name)])).toEqual([
      ['Anna', ['Ben']],
    ])
    release()
  })

  test('a pause makes a version by itself', async () => {
    const workspaces = await world.another({ ...patient, typing: { ...typingRules, pauseMs: 50 } })
    const name = await world.make()
    const { document, release } = await open(name, workspaces)
    await new Client(document).type('a', 'x').acknowledged()
    await vi.waitFor(() => expect(document.version).toBe(1), patience)
    release()
  })

  test('an operation is a version of its own, apart from what was being typed', async () => {
    const name = await world.make()
    const { document, release } = await open(name)
    const client = new Client(document)
    await client.type('a.txt', 'typed\n').acknowledged()
    const result = await world.workspaces.files.edit(name, {
      author: robot,
      path: 'a.txt',
      search: 'typed',
      replace: 'Typed',
    })
    expect(result).toEqual({ version: 2 })
    expect((await versions(name)).map(({ author }) => author.name)).toEqual(['Anna', 'Robot'])
    expect(textOf(client.doc, 'a.txt').toString()).toBe('Typed\n')
    release()
  })

  test('a file that is moved takes along whoever types in it', async () => {
    const name = await world.make()
    const { document, release } = await open(name)
    const client = new Client(document)
    await client.type('a.txt', 'one').acknowledged()
    await world.workspaces.files.move(name, { author: ben, from: 'a.txt', to: 'b.txt' })
    const text = textOf(client.doc, 'a.txt')
    text.insert(text.length, ' two')
    await client.acknowledged()
    expect(await textAt(world.workspaces, name, 'b.txt')).toBe('one two')
    release()
  })

  test('two who make the same file apart from each other both find their text in it', async () => {
    const name = await world.make()
    const { document, release } = await open(name)
    const clients = [anna, ben].map((author) => ({ author, doc: new Y.Doc() }))
    for (const { author, doc } of clients) {
      setText(doc, 'new.txt', 'new.txt')
      textOf(doc, 'new.txt').insert(0, author.name)
    }
    for (const { author, doc } of clients) await document.apply(Y.encodeStateAsUpdate(doc), author)
    const text = await textAt(world.workspaces, name, 'new.txt')
    expect([text.includes('Anna'), text.includes('Ben'), text.length]).toEqual([true, true, 7])
    release()
  })
})

describe('the log', () => {
  test('grows to a snapshot, is packed and stays whole: any version can be replayed', async () => {
    const name = await world.make()
    const { document, release } = await open(name)
    const client = new Client(document)
    for (let at = 0; at < 30; at++) {
      client.type('a.txt', `${'line '.repeat(100)}${at}\n`)
      if (at % 10 === 9) {
        await client.acknowledged()
        await document.closeVersion()
      }
    }
    const snapshot = await inTeam((transaction) => readSnapshot(transaction, name))
    const recent = await inTeam((transaction) => readUpdates(transaction, name, 0))
    expect(snapshot?.seq).toBeGreaterThan(0)
    expect(recent.length).toBeLessThan(30)
    const seqs = await inTeam((transaction) =>
      transaction.execute<{ seq: number }>(
        `SELECT seq FROM coherex.workspace_version WHERE workspace_id = '${name.workspaceId}' ORDER BY number`,
      ),
    )
    expect(seqs.rows.map(({ seq }) => seq)).toEqual([10, 20, 30])
    for (const [index, { seq }] of seqs.rows.entries()) {
      const log = await inTeam((transaction) => readLog(transaction, name, seq))
      expect(log.map((one) => one.seq)).toEqual(Array.from({ length: seq }, (_, at) => at + 1))
      expect(log.every(({ author }) => author.name === 'Anna')).toBe(true)
      const replayed = new Y.Doc()
      for (const { bytes } of log) Y.applyUpdate(replayed, bytes)
      expect(textOf(replayed, 'a.txt').toString()).toBe(await textAt(world.workspaces, name, 'a.txt', index + 1))
    }
    release()
  })

  test('is packed when nobody uses the document any more', async () => {
    const workspaces = await world.another({ ...patient, idleMs: 10 })
    const name = await world.make()
    const { document, release } = await open(name, workspaces)
    await new Client(document).type('a', 'x').acknowledged()
    release()
    await vi.waitFor(() => expect(document.hasEnded).toBe(true), patience)
    expect((await inTeam((transaction) => readSnapshot(transaction, name)))?.seq).toBe(1)
    expect((await versions(name)).map(({ author }) => author.name)).toEqual(['Anna'])
    expect(await textAt(workspaces, name, 'a')).toBe('x')
  })

  test('updates of a killed server get versions by author', async () => {
    const killed = await world.another(patient)
    const name = await world.make()
    const { document } = await open(name, killed)
    const [one, two] = [new Client(document, anna), new Client(document, ben)]
    await one.type('a', 'x').acknowledged()
    await two.type('b', 'y').acknowledged()
    await one.type('a', 'z').acknowledged()
    // its timers are all it would still do; another server opens the document as it is in the store
    const next = await world.another(patient)
    expect(await textAt(next, name, 'a')).toBe('xz')
    expect((await versions(name)).map(({ author, changes }) => [author.name, changes[0]?.path])).toEqual([
      ['Anna', 'a'],
      ['Ben', 'b'],
      ['Anna', 'a'],
    ])
    expect(await textAt(next, name, 'a', 1)).toBe('x')
  })
})

test('a read during writes returns the version of its text, in every process', async () => {
  const [first, second] = [await world.another(patient), await world.another(patient)]
  const name = await world.make()
  const write = (text: string) => first.files.write(name, { author: anna, path: 'a.txt', bytes: [Buffer.from(text)] })
  await write('0')
  await second.files.read(name, 'a.txt')
  let isWriting = true
  const read = async (workspaces: typeof first) => {
    const seen: { text: string; version: number }[] = []
    while (isWriting) {
      const { body, version } = await workspaces.files.read(name, 'a.txt')
      seen.push({ text: String(body), version })
      // as a request would: after whatever else is on its way
      await new Promise((resolve) => setImmediate(resolve))
    }
    return seen
  }
  const reading = Promise.all([read(first), read(second)])
  for (let at = 1; at <= 40; at++) await write(String(at))
  isWriting = false
  const seen = (await reading).flat()
  expect(new Set(seen.map(({ version }) => version)).size).toBeGreaterThan(10)
  expect(seen.filter(({ text, version }) => Number(text) !== version - 1)).toEqual([])
})

describe('several server processes', () => {
  test('have the same document, and what is typed in one is in the others', async () => {
    const [first, second] = [await world.another(patient), await world.another(patient)]
    const name = await world.make()
    const [left, right] = [await open(name, first), await open(name, second)]
    const [one, two] = [new Client(left.document, anna), new Client(right.document, ben)]
    for (let at = 0; at < 20; at++) {
      one.type('a.txt', `a${at} `)
      two.type('b.txt', `b${at} `)
      if (at % 5 === 0) await Promise.all([one.acknowledged(), two.acknowledged()])
    }
    await Promise.all([one.acknowledged(), two.acknowledged()])
    const expected = [...Array(20).keys()]
    await vi.waitFor(() => {
      for (const client of [one, two]) {
        expect(textOf(client.doc, 'a.txt').toString()).toBe(expected.map((at) => `a${at} `).join(''))
        expect(textOf(client.doc, 'b.txt').toString()).toBe(expected.map((at) => `b${at} `).join(''))
      }
    }, patience)
    expect(Y.encodeStateVector(left.document.doc).length).toBe(Y.encodeStateVector(right.document.doc).length)
    await Promise.all([left.document.closeVersion(), right.document.closeVersion()])
    const numbers = (await versions(name)).map(({ number }) => number)
    expect(numbers).toEqual(numbers.map((_, at) => at + 1))
    expect(await textAt(first, name, 'a.txt', numbers.length)).toBe(expected.map((at) => `a${at} `).join(''))
  })

  test('write versions that count without gaps, whoever writes', async () => {
    const [first, second] = [await world.another(patient), await world.another(patient)]
    const name = await world.make()
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        (at % 2 ? first : second).files.write(name, { author: anna, path: `${at}.txt`, bytes: [Buffer.from(`${at}`)] }),
      ),
    )
    const all = await versions(name)
    expect(all.map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1))
    expect(all.flatMap(({ changes }) => changes.map(({ path }) => path)).toSorted()).toEqual(
      Array.from({ length: 12 }, (_, at) => `${at}.txt`).toSorted(),
    )
    for (const workspaces of [first, second]) {
      await vi.waitFor(async () => expect((await workspaces.files.list(name)).items.length).toBe(12), patience)
    }
  })

  test('a workspace that is deleted ends the document everywhere', async () => {
    const other = await world.another(patient)
    const name = await world.make()
    const { document } = await open(name, other)
    const ended = new Promise((resolve) => document.onEnd(resolve))
    await world.workspaces.remove({ teamId: name.teamId, actor: { kind: 'person', name: 'Anna' } }, name.workspaceId)
    expect(await ended).toMatchObject({ code: 'not_found' })
    await expect(open(name, other)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('updates of clients', () => {
  test('that build on what is not here, or are none, are refused and leave the document as it was', async () => {
    const name = await world.make()
    const { document, release } = await open(name)
    const client = new Y.Doc()
    const updates: Uint8Array[] = []
    client.on('update', (update: Uint8Array) => updates.push(update))
    setText(client, 'a', 'a')
    textOf(client, 'a').insert(0, 'x')
    const before = Y.encodeStateAsUpdate(document.doc)
    const [, second] = updates
    await expect(document.apply(second ?? new Uint8Array(), anna)).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(document.apply(new Uint8Array([1, 2, 3]), anna)).rejects.toMatchObject({ code: 'invalid_input' })
    expect(Y.encodeStateAsUpdate(document.doc)).toEqual(before)
    expect(document.doc.store.pendingStructs).toBe(null)
    await document.apply(Y.encodeStateAsUpdate(client), anna)
    expect(await textAt(world.workspaces, name, 'a')).toBe('x')
    release()
  })

  test('that go beyond a limit are refused, those that make it smaller are taken', async () => {
    const name = await world.make()
    const { document, release } = await open(name)
    const client = new Y.Doc()
    setText(client, 'a', 'a')
    textOf(client, 'a').insert(0, 'x'.repeat(999_999))
    await document.apply(Y.encodeStateAsUpdate(client), anna)
    const change = async (edit: () => void) => {
      const vector = Y.encodeStateVector(document.doc)
      edit()
      await document.apply(Y.encodeStateAsUpdate(client, vector), anna)
    }
    await change(() => textOf(client, 'a').insert(0, 'y'))
    await expect(change(() => textOf(client, 'a').insert(0, 'zz'))).rejects.toMatchObject({ code: 'too_large' })
    expect(textOf(document.doc, 'a').length).toBe(1_000_000)
    await change(() => textOf(client, 'a').delete(0, 10))
    expect(textOf(document.doc, 'a').length).toBe(999_992)
    release()
  })

  test('of an archived workspace are refused', async () => {
    const name = await world.make()
    const { document, release } = await open(name)
    const maker = { teamId: name.teamId, actor: { kind: 'person' as const, name: 'Anna' } }
    await world.workspaces.update(maker, name.workspaceId, { archived: true })
    await vi.waitFor(() => expect(document.isArchived).toBe(true), patience)
    const client = new Y.Doc()
    setText(client, 'a', 'a')
    await expect(document.apply(Y.encodeStateAsUpdate(client), anna)).rejects.toMatchObject({ code: 'conflict' })
    await expect(world.workspaces.files.write(name, { author: anna, path: 'a', bytes: [] })).rejects.toMatchObject({
      code: 'conflict',
    })
    await world.workspaces.update(maker, name.workspaceId, { archived: false })
    expect(await world.workspaces.files.write(name, { author: anna, path: 'a', bytes: [] })).toEqual({ version: 1 })
    release()
  })
})

test('whatever people type and agents write at once, everyone and the store end with the same, and all of it is there', async () => {
  const step = fc.record({
    who: fc.nat(2),
    kind: fc.constantFrom('type' as const, 'type' as const, 'erase' as const, 'write' as const, 'edit' as const),
    file: fc.constantFrom('a.txt', 'b.txt'),
    place: fc.nat(1000),
  })
  const onlyConflict = (error: { code?: string }) => expect(error.code).toBe('conflict')
  const other = await world.another(patient)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const name = await world.make()
      const start = Array.from({ length: 6 }, (_, at) => `line ${at}\n`).join('')
      const files = ['a.txt', 'b.txt'].map((path) => ({ path, bytes: Buffer.from(start) }))
      await world.workspaces.files.writeAll(name, files, { author: anna })
      const { document, release } = await open(name)
      const clients = [anna, ben, anna].map((author) => new Client(document, author))
      const operations: Promise<unknown>[] = []
      const typed: string[] = []
      for (const [at, { who, kind, file, place }] of steps.entries()) {
        const text = textOf((clients[who] as Client).doc, file)
        // where a line begins, so that no mark is put into another
        const ends = [...text.toString().matchAll(/\n/g)].map(({ index }) => index + 1)
        const starts = [0, ...ends]
        const position = starts[place % starts.length] ?? 0
        if (kind === 'type') {
          typed.push(`<${at}>`)
          text.insert(position, `<${at}>`)
        } else if (kind === 'erase') {
          // only what nobody typed: typed marks have to be there in the end
          const found = text.toString().indexOf(`line ${place % 6}`)
          if (found >= 0) text.delete(found, 4)
        } else if (kind === 'write') {
          const { body, version } = await world.workspaces.files.read(name, file)
          const bytes = [Buffer.from(`${String(body)}agent ${at}\n`)]
          const options = { author: robot, path: file, bytes, readVersion: version }
          operations.push(world.workspaces.files.write(name, options).catch(onlyConflict))
        } else {
          const edit = { author: robot, path: file, search: `${place % 6}\n`, replace: `${place % 6} edited\n` }
          operations.push(world.workspaces.files.edit(name, edit).catch(onlyConflict))
        }
      }
      await Promise.all(operations)
      await Promise.all(clients.map((client) => client.acknowledged()))
      const all = [document.doc, ...clients.map(({ doc }) => doc)]
      const state = (doc: Y.Doc) => ['a.txt', 'b.txt'].map((path) => textOf(doc, path).toString())
      const final = state(document.doc)
      for (const doc of all) expect(state(doc)).toEqual(final)
      for (const mark of typed) expect([mark, final.join('').split(mark).length]).toEqual([mark, 2])
      await document.closeVersion()
      expect([await textAt(other, name, 'a.txt'), await textAt(other, name, 'b.txt')]).toEqual(final)
      expect(document.size.characters).toBe(final.join('').length)
      release()
    }),
    { numRuns: 15 },
  )
}, 120_000)
