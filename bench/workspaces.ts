// Workspaces: how fast documents load, how fast keystrokes of many reach the others, how fast histories are listed.
// Run: node bench/workspaces.ts
import { loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient, routes } from '../packages/contract/src/index.ts'
import { makeEditedDocument, timeLoad } from '../packages/server/tests/harness/edited-document.ts'
import { connectSyncClient, type SyncClient } from '../packages/server/tests/harness/sync-client.ts'
import { makeDataDirectory, startBenchServer, type BenchServer } from './bench-server.ts'
import { median } from './measure.ts'

export interface WorkspaceRow {
  what: string
  value: number
  unit: string
  goal: string
  bare?: number
  reached: boolean
}

const edits = 100_000
const editors = 50
const typedMs = 10_000
const keyEveryMs = 200
const versions = 10_000

export async function benchWorkspaces(): Promise<WorkspaceRow[]> {
  const directory = await makeDataDirectory()
  const server = await startBenchServer(directory.path)
  try {
    return [loading(), await typing(server), await listing(server)]
  } finally {
    await server.stop()
    await directory.remove()
  }
}

/** What loading a document takes from its snapshot and, beside it, from bare updates. */
function loading(): WorkspaceRow {
  const { snapshot, updates } = makeEditedDocument(edits)
  const fromSnapshot = median(Array.from({ length: 7 }, () => timeLoad([snapshot])))
  return row(`document of ${edits} edits loaded from its snapshot`, fromSnapshot, 50, timeLoad(updates))
}

/** Keystrokes of many in one document: from the key to the screens of the others. Each types in a file of their own. */
async function typing(server: BenchServer): Promise<WorkspaceRow> {
  const call = createClient({ baseUrl: server.url, fetch, key: server.key })
  const { id } = await call(routes.workspaces.create, { body: { name: 'Typed by many' } })
  const headers = { authorization: `Bearer ${server.key}` }
  const clients: SyncClient[] = []
  for (let at = 0; at < editors; at++) {
    const client = connectSyncClient({ url: server.url, workspaceId: id, headers })
    client.text(`${at}.txt`)
    await client.stored()
    clients.push(client)
  }
  const sentAt = new Map<string, number>()
  const times: number[] = []
  // a few watch everything: all fifty would measure this process and not the server
  for (const watcher of clients.slice(0, 3)) {
    watcher.doc.on('afterTransaction', ({ local, afterState, beforeState }) => {
      if (local) return
      for (const [client, clock] of afterState) {
        for (let one = beforeState.get(client) ?? 0; one < clock; one++) {
          const sent = sentAt.get(`${client}:${one}`)
          if (sent !== undefined) times.push(performance.now() - sent)
        }
      }
    })
  }
  const timers = clients.map(({ doc, clock }, at) => {
    const text = doc.getText(`text:${at}.txt`)
    const press = () => {
      sentAt.set(`${doc.clientID}:${clock()}`, performance.now())
      text.insert(text.length, 'k')
    }
    return setTimeout(() => timers.push(setInterval(press, keyEveryMs)), (at * keyEveryMs) / editors)
  })
  await wait(typedMs)
  for (const timer of timers) clearInterval(timer)
  await wait(500)
  for (const client of clients) client.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  return row(`${editors} editors at 5 keys/s, delivery p95`, sorted[Math.floor(sorted.length * 0.95)] ?? Infinity, 100)
}

async function listing(server: BenchServer): Promise<WorkspaceRow> {
  const call = createClient({ baseUrl: server.url, fetch, key: server.key })
  const { id } = await call(routes.workspaces.create, { body: { name: 'Long history' } })
  const params = { id, path: 'a.txt' }
  let made = 0
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (made < versions) await call(routes.workspaces.writeFile, { params, body: `${made++}` })
    }),
  )
  const times: number[] = []
  for (let round = 0; round < 20; round++) {
    const began = performance.now()
    await call(routes.workspaces.listVersions, { params: { id }, query: { limit: 100 } })
    times.push(performance.now() - began)
  }
  return row(`a page of ${versions} versions listed over HTTP, p50`, median(times), 50)
}

function row(what: string, value: number, goal: number, bare?: number): WorkspaceRow {
  return { what, value, unit: 'ms', goal: `≤ ${goal}`, ...(bare === undefined ? {} : { bare }), reached: value <= goal }
}

if (import.meta.main) {
  console.table(await benchWorkspaces())
  console.log(
    `load of the machine: ${loadavg()
      .map((one) => one.toFixed(1))
      .join(' ')}`,
  )
}
