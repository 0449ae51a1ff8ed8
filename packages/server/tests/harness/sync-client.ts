import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import { expect } from 'vitest'
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
  /** Everything it has is on the server's disk. */
  isStored(): boolean
  stored(): Promise<void>
  /** Cuts the line without a word. */
  drop(): void
  connect(): void
  /** Another address: the server was started again. */
  moveTo(url: string): void
  destroy(): void
}

export interface SyncClientOptions {
  url: string
  workspaceId: string
  headers: Record<string, string>
  doc?: Y.Doc
}

export function connectSyncClient({ url, workspaceId, headers, doc = new Y.Doc() }: SyncClientOptions): SyncClient {
  let address = url
  // ws takes headers, which a browser's WebSocket has from its cookies
  class Socket extends WebSocket {
    constructor() {
      super(`${address.replace('http', 'ws')}/sync/${workspaceId}`, { headers })
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
    isStored: () => provider.isSynced && provider.unsyncedChanges === 0,
    stored: () => expect.poll(() => client.isStored(), { timeout: 20_000, interval: 5 }).toBe(true),
    drop() {
      websocketProvider.shouldConnect = false
      ;(websocketProvider.webSocket as unknown as WebSocket | null)?.terminate()
    },
    connect: () => void websocketProvider.connect(),
    moveTo(to) {
      address = to
    },
    destroy() {
      provider.destroy()
      websocketProvider.destroy()
    },
  }
  websocketProvider.on('disconnect', ({ event }: { event: { code: number; reason: string } }) => {
    client.closings.push({ code: event.code, reason: String(event.reason) })
  })
  provider.attach()
  return client
}
