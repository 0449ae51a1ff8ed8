import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import type { ResolveHost } from './addresses/resolve-host.ts'
import type { Dial } from './connections/dial.ts'

/**
 * An internet for tests: public names and addresses that lead to real servers on loopback. Only what we do not own is
 * made up (who has which address); sockets, HTTP, TLS and everything of the guard are real.
 */
export interface TestInternet {
  resolveHost: ResolveHost
  dial: Dial
  /** Every address that was dialled, as `address:port`. */
  dialled: string[]
  serve(address: string, listener: RequestListener): Promise<void>
  serveTcp(address: string, onSocket: (socket: Socket) => void): Promise<void>
  close(): Promise<void>
}

export function createTestInternet(names: Record<string, string[]> = {}): TestInternet {
  const ports = new Map<string, number>()
  const servers: (Server | ReturnType<typeof createTcpServer>)[] = []
  const sockets = new Set<Socket>()
  const dialled: string[] = []

  async function listen(address: string, server: ReturnType<typeof createTcpServer>): Promise<void> {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    ports.set(address, (server.address() as AddressInfo).port)
  }

  return {
    dialled,
    resolveHost: async (host) => names[host] ?? [],
    dial: (address, port) =>
      new Promise((resolve, reject) => {
        dialled.push(`${address}:${port}`)
        const local = ports.get(address)
        if (local === undefined) return reject(new Error('connect ENETUNREACH'))
        const socket = connect(local, '127.0.0.1')
        // as the real one: whoever gets the socket gets it without listeners
        socket.once('connect', () => resolve(socket.removeListener('error', reject)))
        socket.once('error', reject)
      }),
    serve: (address, listener) => listen(address, createServer(listener)),
    serveTcp: (address, onSocket) => listen(address, createTcpServer(onSocket)),
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

/** A listener on loopback that counts who comes: nobody should. */
export async function createCanary(
  host = '127.0.0.1',
): Promise<{ port: number; hits: number; close(): Promise<void> }> {
  const canary = { port: 0, hits: 0, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
  const server = createServer((_, response) => response.end('secret')).on('connection', () => canary.hits++)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  canary.port = (server.address() as AddressInfo).port
  return canary
}

export const never = new AbortController().signal
