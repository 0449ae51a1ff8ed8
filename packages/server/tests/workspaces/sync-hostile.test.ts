import { randomBytes } from 'node:crypto'
import { routes } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { createTestDatabase, type TestDatabase } from '../harness/database/test-database.ts'
import { watchWaits } from '../harness/load/core-time.ts'
import { internalMessage, openRawSync, type RawSync } from '../harness/raw-sync.ts'
import { makeTestDirectory, startServerProcess, type ServerProcess } from '../harness/server-process.ts'
import { connectSyncClient, type SyncClient } from '../harness/sync-client.ts'
import { invitePerson, setUpOwner, type TestPerson } from '../harness/test-server.ts'

// The Yjs cases of the hostile list (Y01–Y07) and their neighbours. After each, the document is what it was, no turn of the
// server took a quarter of a second, and the person who types in it was answered within one.
const { workspaces: route } = routes
const quarterMs = 250
/** How long an update may compute where it is tried before that is ended. */
const tryMs = 200
let database: TestDatabase
let directory: Awaited<ReturnType<typeof makeTestDirectory>>
let server: ServerProcess
/** Whoever has a part in an answer: we, the server, and the connections it has to the database. */
let parts: (number | 'self')[]
let owner: TestPerson
let editor: TestPerson
let id: string
/** Someone who works in the same workspace. */
let worker: SyncClient
/** What the attacker sees of the document. */
let seen: Y.Doc

beforeAll(async () => {
  database = await createTestDatabase()
  directory = await makeTestDirectory()
  const settings = { DATABASE_URL: database.url, COHEREX_DATA_DIR: directory.path, COHEREX_WARM: 'false' }
  server = await startServerProcess(settings, { isWatched: true })
  owner = await setUpOwner(server)
  editor = await invitePerson(server, owner, { role: 'editor', name: 'editor 1' })
  id = (await owner.call(route.create, { body: { name: 'Attacked' } })).id
  await owner.call(route.writeFile, { params: { id, path: 'server.txt' }, body: 'written by an operation' })
  await owner.call(route.writeFile, { params: { id, path: 'image.bin' }, body: Uint8Array.of(0, 1, 2) })
  worker = connectSyncClient({ url: server.url, workspaceId: id, headers: owner.socketHeaders() })
  worker.text('a.txt').insert(0, 'the text of someone else')
  await worker.stored()
  seen = worker.doc
  const superuser = await database.superuser()
  const { rows } = await superuser.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await superuser.end()
  parts = ['self', server.pid, ...rows.map(({ pid }) => pid)]
})
afterAll(async () => {
  worker?.destroy()
  server?.kill('SIGTERM')
  await server?.ended
  await database.drop()
  await directory.remove()
})

const attack = () => openRawSync({ url: server.url, workspaceId: id, headers: editor.socketHeaders() })

/** The document as the store has it for a newcomer, without what those who type add. */
async function stateOf(): Promise<unknown> {
  const client = connectSyncClient({ url: server.url, workspaceId: id, headers: owner.socketHeaders() })
  await client.stored()
  const texts = [...client.doc.share.keys()].filter((name) => name.startsWith('text:')).toSorted()
  const state = {
    files: client.doc.getMap('files').toJSON(),
    texts: texts.map((name) => [name, client.doc.getText(name).toString()]),
    roots: [...client.doc.share.keys()].toSorted(),
    clients: [...Y.decodeStateVector(Y.encodeStateVector(client.doc))].toSorted(([a], [b]) => a - b),
  }
  client.destroy()
  return state
}

/** What it was after the last attack, as long as nothing else has changed it. */
let unchanged: unknown

/** Time from a keystroke of the other person to its acknowledgement, without what anyone waited for a core. */
async function keystroke(): Promise<number> {
  // whoever stood still for seconds to make an attack was let go of, and comes back first
  await worker.stored()
  const waits = watchWaits(parts)
  const began = performance.now()
  worker.text('a.txt').insert(0, 'k')
  await worker.stored()
  const took = performance.now() - began - waits.stop()
  worker.text('a.txt').delete(0, 1)
  await worker.stored()
  return took
}

interface Refusal {
  code: number | RegExp
  /** What the update itself may compute before it is refused for that. */
  triedMs?: number
}

/** What is sent is made before, so that the server alone is measured. */
async function expectRefused(act: (raw: RawSync) => void | Promise<void>, refusal: Refusal): Promise<void> {
  const { code, triedMs = 0 } = refusal
  const before = unchanged ?? (await stateOf())
  const raw = await attack()
  await server.longestTick()
  await act(raw)
  const took = await keystroke()
  const { code: closedWith, reason } = await raw.closed
  const { longest } = await server.longestTick()
  expect(String(closedWith), reason).toMatch(typeof code === 'number' ? String(code) : code)
  const after = (await stateOf()) as { clients: [number, number][] }
  // keystrokes of the other person count their clock
  const others = ({ clients, ...rest }: { clients: [number, number][] }) => ({
    ...rest,
    clients: clients.filter(([client]) => client !== worker.doc.clientID),
  })
  expect(others(after)).toEqual(others(before as typeof after))
  unchanged = after
  expect(longest).toBeLessThan(quarterMs)
  expect(took).toBeLessThan(quarterMs + triedMs)
}

/** An update made by someone who has the document. */
function made(change: (doc: Y.Doc) => void, { client, format = 'V1' }: { client?: number; format?: 'V1' | 'V2' } = {}) {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(seen))
  if (client !== undefined) doc.clientID = client
  const before = Y.encodeStateVector(doc)
  change(doc)
  return format === 'V1' ? Y.encodeStateAsUpdate(doc, before) : Y.encodeStateAsUpdateV2(doc, before)
}

/** The client that made a file. */
function doneBy(path: string): number {
  return seen.getMap('files')._map.get(path)?.id.client ?? 0
}

test('a well-made update of the attacker is taken, so that the others are refused for what they are', async () => {
  const raw = await attack()
  raw.update(made((doc) => doc.getText('text:a.txt').insert(0, '!')))
  await expect.poll(() => worker.read('a.txt')).toBe('!the text of someone else')
  raw.update(made((doc) => doc.getMap('files').set('moved.bin', doc.getMap('files').get('image.bin'))))
  await expect.poll(() => worker.doc.getMap('files').has('moved.bin')).toBe(true)
  raw.close()
})

test.each(['update', 'missing'] as const)('a viewer is cut off at the tenth refused %s', async (kind) => {
  const viewer = await invitePerson(server, owner, { role: 'viewer', name: `viewer ${kind}` })
  const raw = await openRawSync({ url: server.url, workspaceId: id, headers: viewer.socketHeaders() })
  const before = worker.read('a.txt')
  const bytes = made((doc) => doc.getText('text:a.txt').insert(0, '?'))
  let hasEnded = false
  void raw.closed.then(() => (hasEnded = true))
  // an answer to the server that has nothing new in it is no attempt
  for (let count = 0; count < 20; count++) raw.missing(Y.encodeStateAsUpdate(new Y.Doc()))
  for (let count = 0; count < 9; count++) raw[kind](bytes)
  await raw.answered()
  expect(hasEnded).toBe(false)
  raw[kind](bytes)
  expect(await raw.closed).toMatchObject({ code: 4403, reason: expect.stringContaining('not write') })
  expect(worker.read('a.txt')).toBe(before)
})

describe('an update ends its connection', () => {
  const text = (doc: Y.Doc) => doc.getText('text:a.txt')
  const cases: [string, () => Uint8Array][] = [
    ['that hangs the V2 helpers', () => Buffer.from('00010000000001000100010200001602000001fdffffffff7f0000', 'hex')],
    ['in the V2 format', () => made((doc) => text(doc).insert(0, 'x'), { format: 'V2' })],
    ['of random bytes', () => randomBytes(300)],
    ['that is cut off', () => made((doc) => text(doc).insert(0, 'cut off here')).subarray(0, 20)],
    ['with a tail', () => Buffer.concat([made((doc) => text(doc).insert(0, 'x')), Buffer.of(0)])],
    [
      'that builds on another that is not here',
      () => {
        const doc = new Y.Doc()
        doc.getText('text:a.txt').insert(0, 'first')
        const first = Y.encodeStateVector(doc)
        doc.getText('text:a.txt').insert(0, 'second')
        return Y.encodeStateAsUpdate(doc, first)
      },
    ],
    [
      'with a clock near the end of numbers',
      () =>
        Buffer.from([
          1,
          1,
          7,
          0xff,
          0xff,
          0xff,
          0xff,
          0xff,
          0xff,
          0xff,
          0x0f,
          4,
          1,
          10,
          ...Buffer.from('text:a.txt'),
          1,
          120,
          0,
        ]),
    ],
    [
      'with a deleted stretch as long as numbers go',
      () =>
        Buffer.from([
          1,
          1,
          7,
          0,
          1,
          1,
          10,
          ...Buffer.from('text:a.txt'),
          0xff,
          0xff,
          0xff,
          0xff,
          0xff,
          0xff,
          0xff,
          0x0f,
          0,
        ]),
    ],
    ['that deletes what is not here', () => Buffer.from([0, 1, 9, 1, 0, 100])],
    ['with a root that is none of ours', () => made((doc) => doc.getMap('evil').set('a', 1))],
    ['with a nested type', () => made((doc) => doc.getMap('files').set('a', new Y.Map([['text', 'a']])))],
    ['with a document in a document', () => made((doc) => doc.getMap('files').set('a', new Y.Doc()))],
    ['that takes the map of files for a list', () => made((doc) => doc.getArray('files').insert(0, [1]))],
    ['with an entry that is none', () => made((doc) => doc.getMap('files').set('a', { text: 'a', more: 1 }))],
    ['with a path that climbs', () => made((doc) => doc.getMap('files').set('../a', { text: 'a' }))],
    [
      'with a blob that was never here',
      () => made((doc) => doc.getMap('files').set('a', { blob: 'a'.repeat(64), size: 1 })),
    ],
    ['with what is no character in a text', () => made((doc) => text(doc).insertEmbed(0, { image: 'x' }))],
    ['with formats in a text', () => made((doc) => text(doc).format(0, 3, { bold: true }))],
    [
      'with a prototype for an entry',
      () => made((doc) => doc.getMap('files').set('a', JSON.parse('{"__proto__":{"text":"a"}}'))),
    ],
  ]
  test.each(cases)('%s', async (_name, update) => {
    const bytes = update()
    await expectRefused((raw) => raw.update(bytes), { code: /^4400|4403$/ })
    expect(({} as { text?: unknown }).text).toBe(undefined)
  })

  const forged: [string, () => number][] = [
    ['in the name of another person’s client', () => worker.doc.clientID],
    ['in the name of the server', () => doneBy('server.txt')],
  ]
  test.each(forged)('%s', async (_name, client) => {
    // its owner types on only when it is decided: of two with one clock the second is no news
    const bytes = made((doc) => text(doc).insert(0, 'x'), { client: client() })
    await expectRefused(
      async (raw) => {
        raw.update(bytes)
        await raw.closed
      },
      { code: 4403 },
    )
  })

  const sizes: [string, () => Uint8Array][] = [
    ['of more than 1 MB in a file', () => made((doc) => text(doc).insert(0, 'x'.repeat(1_000_001)))],
    [
      'of more than 10,000 files',
      () =>
        made((doc) => {
          doc.transact(() => {
            for (let at = 0; at < 10_001; at++) doc.getMap('files').set(`f${at}`, { text: 'a' })
          })
        }),
    ],
  ]
  test.each(sizes)('%s', async (_name, update) => {
    const bytes = update()
    await expectRefused((raw) => raw.update(bytes), { code: /^4413|4400|1009$/ })
  })
})

test('mutations of a good update end the connection or change nothing but text, and the server goes on', async () => {
  let random = 7
  const next = (below: number) => (random = (random * 48_271) % 2_147_483_647) % below
  const mutate = async () => {
    const update = made((doc) => doc.getText('text:mutants').insert(0, 'some text to mutate'))
    for (let at = 0; at < 3; at++) update[next(update.length)] = next(256)
    const raw = await attack()
    raw.update(update)
    raw.send(internalMessage(id)) // ends it in any case
    expect((await raw.closed).code).toSatisfy((code: number) => code === 4400 || code === 4403 || code === 4413)
  }
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 8 }, mutate))
  unchanged = undefined
  const roots = ((await stateOf()) as { roots: string[] }).roots
  expect(roots.filter((name) => name !== 'files' && !name.startsWith('text:'))).toEqual([])
})

test('an update that takes long to apply is refused', async () => {
  const doc = new Y.Doc()
  doc.clientID = 4321
  // each character before the last, so that none joins another: more than any machine does in the time that is allowed
  doc.transact(() => {
    for (let at = 0; at < 400_000; at++) doc.getText('text:slow').insert(0, 'x')
  })
  const bytes = Y.encodeStateAsUpdate(doc)
  await expectRefused((raw) => raw.update(bytes), { code: /^4400|4413$/, triedMs: tryMs })
})

describe('a connection ends', () => {
  test('that shows itself as someone else’s client', async () => {
    worker.provider.awareness?.setLocalState({ file: 'a.txt' })
    await expectRefused((raw) => raw.awareness([[worker.doc.clientID, { file: 'b.txt' }]]), { code: 4403 })
  })

  test('whose awareness is too large', async () => {
    await expectRefused((raw) => raw.awareness([[77, { cursor: 'x'.repeat(10_000) }]]), { code: 4413 })
  })

  test('that floods with updates', async () => {
    const update = made((doc) => doc.getMap('files').delete('never there'))
    await expectRefused(
      (raw) => {
        for (let at = 0; at < 5000; at++) raw.update(update)
      },
      { code: 4429 },
    )
  })

  test('that asks for the whole document again and again', async () => {
    await expectRefused(
      (raw) => {
        for (let at = 0; at < 20; at++) raw.send(stateRequest())
      },
      { code: 4429 },
    )
  })

  test('that sends a message larger than any', async () => {
    await expectRefused((raw) => raw.update(new Uint8Array(5_000_000)), { code: 1009 })
  })

  test('that speaks of another workspace, or as a server would', async () => {
    await expectRefused((raw) => raw.send(internalMessage('wsp_other')), { code: 4400 })
    await expectRefused((raw) => raw.send(internalMessage(id)), { code: 4400 })
  })
})

function stateRequest(): Uint8Array {
  const name = Buffer.from(id)
  return Buffer.concat([Buffer.of(name.length), name, Buffer.of(0, 0, 1, 0)])
}
