import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { EgressLimits } from '../rules.ts'

/** HTTP over one socket that leads to a checked address. */
export interface HttpConnection {
  origin: string
  address: string
  socket: Socket
  client: Client
  close(): void
}

// servers that say nothing of it keep a connection for longer
const keepMs = 10_000
const longestKeepMs = 60_000

export function createHttpConnection(
  origin: string,
  { socket, address }: { socket: Socket; address: string },
  limits: EgressLimits,
): HttpConnection {
  let isUsed = false
  const client = new Client(origin, {
    // a lost connection is not made again: this socket leads to the address that was checked
    connect: (_, callback) => {
      const isLost = isUsed
      isUsed = true
      // undici expects the answer in a later turn
      setImmediate(() => (isLost ? callback(new Error('the connection was lost'), null) : callback(null, socket)))
    },
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: 0,
    bodyTimeout: limits.idleMs,
    keepAliveTimeout: keepMs,
    keepAliveMaxTimeout: longestKeepMs,
  })
  const close = () => {
    // the verdict is known by now; what the dying connection says is of no use
    client.destroy().catch(() => {})
    socket.destroy()
  }
  return { origin, address, socket, client, close }
}
