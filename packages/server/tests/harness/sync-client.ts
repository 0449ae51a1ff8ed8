import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import WebSocket from 'ws'
import * as Y from 'yjs'

/** A client as the studio has one: hocuspocus' provider on a real WebSocket. */
export interface SyncClient {
  doc: Y.Doc
  provider: HocuspocusProvider
  /** Why its sockets were closed, the last at the end. */
  closings: { code: number; reason: string }[]
  /** The characters of a file; made with its entry when it is not there. */
  text(path: string): Y.Text
  /** The characters as this client sees them; looking makes nothing. */
  read(path: string): string
  /** How much it has written itself. */
  clock(): number
  /** Everything it has is on the server's disk. */
  isStored(): boolean
  stored(): Promise<void>
  /** Cuts the line without a word. */
  drop(): void
  connect(): void
  destroy(): void
}

export interface SyncClientOptions {
  url: string
  workspaceId: string
  headers: Record<string, string>
  doc?: Y.Doc
}

const storedWithinMs = 60_000

export function connectSyncClient({ url, workspaceId, headers, doc = new Y.Doc() }: SyncClientOptions): SyncClient {
  // ws takes headers, which a browser's WebSocket has from its cookies
  class Socket extends WebSocket {
    constructor() {
      super(`${url.replace('http', 'ws')}/sync/${workspaceId}`, { headers })
      this.on('error', () => undefined) // followed by its close
    }
  }
  const websocketProvider = new HocuspocusProviderWebsocket({
    url: 'ws://of.the.socket',
    WebSocketPolyfill: Socket,
    delay: 20,
    minDelay: 10,
    factor: 1.5,
    maxDelay: 200,
  })
  const provider = new HocuspocusProvider({ websocketProvider, name: workspaceId, document: doc })
  const client: SyncClient = {
    doc,
    provider,
    closings: [],
    text(path) {
      const files = doc.getMap('files')
      if (!files.has(path)) files.set(path, { text: path })
      return doc.getText(`text:${path}`)
    },
    read: (path) => doc.getText(`text:${path}`).toString(),
    clock: () => Y.getState(doc.store, doc.clientID),
    isStored: () => provider.isSynced && provider.unsyncedChanges === 0,
    stored: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          finish(() => reject(new Error(`not stored; closed: ${JSON.stringify(client.closings.slice(-3))}`)))
        }, storedWithinMs)
        const look = () => {
          if (client.isStored()) finish(resolve)
        }
        const finish = (settle: () => void) => {
          clearTimeout(timer)
          provider.off('unsyncedChanges', look)
          provider.off('synced', look)
          settle()
        }
        provider.on('unsyncedChanges', look)
        provider.on('synced', look)
        look()
      }),
    drop() {
      websocketProvider.shouldConnect = false
      ;(websocketProvider.webSocket as unknown as WebSocket | null)?.terminate()
    },
    connect() {
      // a line cut a moment ago counts as connected until its close is heard, and then only this brings it back
      websocketProvider.shouldConnect = true
      void websocketProvider.connect()
    },
    destroy() {
      provider.destroy()
      websocketProvider.destroy()
      // a line lost a moment ago has a timer that would bring it back, for nobody and without end
      websocketProvider.connect = () => Promise.resolve()
    },
  }
  websocketProvider.on('disconnect', ({ event }: { event: { code: number; reason: string } }) => {
    client.closings.push({ code: event.code, reason: String(event.reason) })
  })
  // what it kept while it was away is in its document, and that is synced: sent twice it would be acknowledged twice
  const socket = websocketProvider as unknown as { messageQueue: unknown[] }
  provider.on('open', () => (socket.messageQueue = []))
  provider.attach()
  return client
}
