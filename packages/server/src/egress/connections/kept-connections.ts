import type { HttpConnection } from './http-connection.ts'

/**
 * Connections that are used again. They belong to one set of rules, and every request is checked as if there were none:
 * its host is looked up, and only a connection to an address that was found and allowed for this very request will do.
 */
export interface KeptConnections {
  take(origin: string, addresses: readonly string[]): HttpConnection | undefined
  /** For one whose answer was read to its end. */
  give(connection: HttpConnection): void
}

export function createKeptConnections(most = 32): KeptConnections {
  const idle = new Map<HttpConnection, () => void>()
  return {
    take(origin, addresses) {
      const fits = (one: HttpConnection) => one.origin === origin && addresses.includes(one.address)
      // the newest first: the others may grow old
      const found = [...idle.keys()].findLast((one) => fits(one) && !one.socket.destroyed)
      const forget = found && idle.get(found)
      if (!found || !forget) return undefined
      idle.delete(found)
      found.socket.off('close', forget).ref()
      return found
    },
    give(connection) {
      const { socket } = connection
      if (socket.destroyed || idle.size >= most) return connection.close()
      const forget = () => void idle.delete(connection)
      idle.set(connection, forget)
      // nobody waits for it: it must not keep a process from ending
      socket.once('close', forget).unref()
    },
  }
}
