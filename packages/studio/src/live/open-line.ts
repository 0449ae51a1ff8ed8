import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import type { Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'

export interface Line {
  socket: HocuspocusProviderWebsocket
  provider: HocuspocusProvider
  awareness: Awareness
  close(): void
}

/** The line to the server of a document that several edit at once. It is to be attached once whoever opened it listens. */
export function openLine(name: string, doc: Y.Doc): Line {
  const socket = new HocuspocusProviderWebsocket({
    url: `${location.origin.replace(/^http/, 'ws')}/sync/${name}`,
    ...{ delay: 500, minDelay: 300, factor: 1.5, maxDelay: 5000 },
  })
  const provider = new HocuspocusProvider({ websocketProvider: socket, name, document: doc })
  const awareness = provider.awareness as Awareness
  awareness.setLocalState({})
  return {
    ...{ socket, provider, awareness },
    close() {
      provider.destroy()
      socket.destroy()
      // a line lost a moment ago has a timer that would bring it back, for nobody
      socket.connect = () => Promise.resolve()
    },
  }
}
