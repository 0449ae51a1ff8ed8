import { createClient, routes, type Client } from '@coherex/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { createTestDatabase, type TestDatabase } from '../harness/database/test-database.ts'
import { findLastingPort } from '../harness/lasting-port.ts'
import { isLong } from '../harness/long-tests.ts'
import { makeTestDirectory, startServerProcess, type ServerProcess } from '../harness/server-process.ts'
import { connectSyncClient, type SyncClient } from '../harness/sync-client.ts'
import { createBrowser } from '../harness/test-server.ts'

// Five clients of two people against a server that is a real process and is killed.
const kills = isLong ? 20 : 3
const seeds = isLong ? 500 : 200
/** Workspaces that are played with at the same time. */
const atOnce = 10
/** Of so many rounds one has a server that is killed in the middle of it. */
const restartEvery = 6
const clientCount = 5
const path = 'a.txt'

let database: TestDatabase
let directory: Awaited<ReturnType<typeof makeTestDirectory>>
let port: number
let server: ServerProcess
let keys: string[]
let call: Client

const start = async () => {
  server = await startServerProcess({
    DATABASE_URL: database.url,
    COHEREX_DATA_DIR: directory.path,
    PORT: String(port),
    COHEREX_LOG_LEVEL: 'error',
    // no code runs, and it starts again and again
    COHEREX_WARM: 'false',
  })
}

beforeAll(async () => {
  database = await createTestDatabase()
  directory = await makeTestDirectory()
  port = await findLastingPort()
  await start()
  const owner = createBrowser(server.url)
  await owner.call(routes.signIn.withLink, { body: { token: server.signInLink.split('/').at(-1) ?? '' } })
  const own = { name: 'Olga', email: 'o@example.com', password: 'a long owner password', teamName: 'Team' }
  await owner.call(routes.signIn.finishSetup, { body: own })
  const { link } = await owner.call(routes.teams.invite, { body: { email: 'e@example.com', role: 'editor' } })
  const editor = createBrowser(server.url)
  const body = { token: link?.split('/').at(-1) ?? '', name: 'Edda', password: 'another long password' }
  await editor.call(routes.teams.acceptInvitation, { body })
  const makeKey = (who: typeof owner) => who.call(routes.keys.create, { body: { name: 'sync', scopes: ['write'] } })
  keys = [(await makeKey(owner)).key, (await makeKey(editor)).key]
  call = createClient({ baseUrl: server.url, fetch, key: keys[0] ?? '' })
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  await database.drop()
  await directory.remove()
})

const makeWorkspace = async () => (await call(routes.workspaces.create, { body: { name: 'Typed' } })).id
const connect = (workspaceId: string, at: number, doc = new Y.Doc()) =>
  connectSyncClient({
    url: server.url,
    workspaceId,
    headers: { authorization: `Bearer ${keys[at % keys.length] ?? ''}` },
    doc,
  })

/** Remembers, for each client, the clock up to which the server has said that it has everything. */
function watchAcknowledged(clients: SyncClient[]): Map<number, number> {
  const acknowledged = new Map<number, number>()
  for (const client of clients) {
    client.provider.on('unsyncedChanges', () => {
      if (client.isStored()) acknowledged.set(client.doc.clientID, client.clock())
    })
  }
  return acknowledged
}

/** The same while they type without a pause, over one connection: each keystroke is one update and has one answer. */
function countAcknowledged(clients: SyncClient[]): Map<number, number> {
  const acknowledged = new Map<number, number>()
  for (const client of clients) {
    const sent: number[] = []
    let unanswered = 0
    client.doc.on('update', (_update: Uint8Array, origin: unknown) => {
      if (origin !== client.provider) sent.push(client.clock())
    })
    client.provider.on('unsyncedChanges', ({ number }: { number: number }) => {
      if (number < unanswered) acknowledged.set(client.doc.clientID, sent.shift() ?? 0)
      unanswered = number
    })
  }
  return acknowledged
}

/** What a newcomer gets from the server: its state, and nothing that other clients could have brought again. */
async function readStored(workspaceId: string): Promise<Y.Doc> {
  const client = connect(workspaceId, 0)
  await client.stored()
  client.destroy()
  return client.doc
}

function expectAcknowledged(doc: Y.Doc, acknowledged: Map<number, number>): void {
  for (const [client, clock] of acknowledged) expect(Y.getState(doc.store, client)).toBeGreaterThanOrEqual(clock)
}

test(
  `kill -9 of the server ${kills} times while ${clientCount} people type: no acknowledged character is lost`,
  async () => {
    const id = await makeWorkspace()
    for (let kill = 0; kill < kills; kill++) {
      const clients = Array.from({ length: clientCount }, (_, at) => connect(id, at))
      await Promise.all(clients.map((client) => client.stored()))
      const acknowledged = countAcknowledged(clients)
      const typing = clients.map((client, at) =>
        setInterval(() => client.text(`${at}.txt`).insert(client.text(`${at}.txt`).length, String(at)), 10),
      )
      // into the middle of it: everyone has been acknowledged something and has more under way
      const fewest = () => (acknowledged.size < clientCount ? 0 : Math.min(...acknowledged.values()))
      await expect.poll(fewest, { timeout: 60_000, interval: 5 }).toBeGreaterThan(15 + kill * 3)
      server.kill('SIGKILL')
      await server.ended
      for (const timer of typing) clearInterval(timer)
      // nobody can bring it back: it is on disk or lost
      for (const client of clients) client.destroy()
      const survived = new Map(acknowledged)
      await start()
      expectAcknowledged(await readStored(id), survived)
    }
  },
  kills * 60_000 + 60_000,
)

type Step =
  | { kind: 'insert'; client: number; at: number; text: string }
  | { kind: 'delete'; client: number; at: number; length: number }
  | { kind: 'file'; client: number; name: string }
  | { kind: 'drop' | 'connect' | 'wait'; client: number }

const client = fc.nat(clientCount - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      client,
      at: fc.nat(),
      text: fc.string({ minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      client,
      at: fc.nat(),
      length: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('file' as const), client, name: fc.constantFrom('b', 'c/d', 'e') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('drop' as const, 'connect' as const, 'wait' as const), client }),
  },
)

test(
  `${clientCount} clients with random edits, drops, reconnects and restarts end up equal, ${seeds} seeds`,
  async () => {
    let round = 0
    const steps = fc.array(step, { minLength: 20, maxLength: 50 })
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: atOnce, maxLength: atOnce }), fc.nat(19), async (games, at) => {
        const isKilled = ++round % restartEvery === 0
        let restarted: Promise<void> | undefined
        const onStep = (number: number) => {
          if (!isKilled || restarted || number < at) return
          server.kill('SIGKILL')
          restarted = server.ended.then(start)
        }
        const ids = await Promise.all(games.map(makeWorkspace))
        // everyone is at it when the server is killed, and waits until it is back
        const played = await Promise.all(games.map((list, game) => startGame(ids[game] ?? '', list, onStep)))
        await restarted
        await Promise.all(played.map((finish) => finish()))
      }),
      { numRuns: seeds / atOnce, endOnFailure: true },
    )
  },
  seeds * 3000 + 60_000,
)

/** Takes the steps in a workspace of its own; what it answers waits for everyone to be stored and compares. */
async function startGame(id: string, steps: Step[], onStep: (number: number) => void): Promise<() => Promise<void>> {
  const clients = Array.from({ length: clientCount }, (_, at) => connect(id, at))
  const acknowledged = watchAcknowledged(clients)
  for (const [number, one] of steps.entries()) {
    onStep(number)
    await take(one, clients)
  }
  return async () => {
    for (const one of clients) one.connect()
    await Promise.all(clients.map((one) => one.stored()))
    const stored = await readStored(id)
    await expect
      .poll(() => clients.map(({ doc }) => contentOf(doc)), { timeout: 20_000, interval: 10 })
      .toEqual(clients.map(() => contentOf(stored)))
    expectAcknowledged(stored, acknowledged)
    expect(await call(routes.workspaces.readFile, { params: { id, path } })).toBe(
      stored.getText(`text:${path}`).toString(),
    )
    for (const one of clients) one.destroy()
  }
}

async function take(one: Step, clients: SyncClient[]): Promise<void> {
  const actor = clients[one.client]
  if (!actor) return
  const text = actor.text(path)
  if (one.kind === 'insert') text.insert(one.at % (text.length + 1), one.text)
  else if (one.kind === 'delete') {
    const at = one.at % (text.length + 1)
    if (at < text.length) text.delete(at, Math.min(one.length, text.length - at))
  } else if (one.kind === 'file') actor.text(one.name).insert(0, one.name)
  else if (one.kind === 'drop') actor.drop()
  else if (one.kind === 'connect') actor.connect()
  // a turn of the network, so that steps fall into different places of the protocol
  else await new Promise((resolve) => setTimeout(resolve, 3))
}

/** Everything that must be equal: state vectors and content. */
function contentOf(doc: Y.Doc) {
  const texts = [...doc.share.keys()].filter((name) => name.startsWith('text:')).toSorted()
  return {
    clocks: [...Y.decodeStateVector(Y.encodeStateVector(doc))].toSorted(([a], [b]) => a - b),
    files: doc.getMap('files').toJSON(),
    texts: texts.map((name) => [name, doc.getText(name).toString()]).filter(([, text]) => text !== ''),
  }
}
