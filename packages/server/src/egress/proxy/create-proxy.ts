import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { EgressError } from '../egress-error.ts'
import type { Outbound } from '../outbound.ts'
import { answerConnect } from './answer-connect.ts'
import { answerRequest } from './answer-request.ts'
import { defaultProxyLimits, type ProxyLimits, proxyRules } from './proxy-limits.ts'
import type { ProxyState } from './proxy-state.ts'
import { lastWords, toRefusal } from './refusal.ts'

export type { ProxyLimits }

/** An HTTP proxy for programs that know nothing of the guard. Everything they ask for passes it. */
export interface Proxy {
  /** Answers on a connection that such a program opened. */
  accept(connection: Duplex): void
  /** Ends the connections that are open, such as those to a place that is not allowed any more. */
  endConnections(): void
  /** Ends every connection; afterwards each of them is in the outbound's log. */
  close(): Promise<void>
}

const maxHeaderBytes = 32_768
// then a client has to connect anew; a flood of them in one packet ends there
const requestsPerConnection = 100

export function createProxy(outbound: Outbound, limits: Partial<ProxyLimits> = {}): Proxy {
  const closed = new AbortController()
  const bounds = { ...defaultProxyLimits, ...limits }
  const open = new Set<Duplex>()
  const work = new Set<Promise<void>>()
  let passed = 0
  const state: ProxyState = {
    outbound,
    rules: proxyRules(outbound.rules, bounds),
    limits: bounds,
    signal: closed.signal,
    held: 0,
    count(bytes) {
      passed += bytes
      if (passed > bounds.totalBytes) throw tooMuch(bounds.totalBytes)
    },
    track(promise) {
      work.add(promise)
      void promise.finally(() => work.delete(promise))
    },
  }

  // never listens: connections are handed in, and what they carry is parsed as strictly as Node can
  const server = createServer({ maxHeaderSize: maxHeaderBytes, insecureHTTPParser: false, requireHostHeader: false })
  server.maxRequestsPerSocket = requestsPerConnection
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const rest = resting.get(request.socket)
    rest?.stop()
    response.once('close', () => rest?.start())
    // whatever it was, it is one request's end and never the server's
    state.track(answerRequest(request, response, state).catch(() => void response.destroy()))
  })
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    resting.get(client)?.stop()
    state.track(answerConnect(request, { client, head }, state).catch(() => void client.destroy()))
  })
  // the last answer said that the connection closes: whoever goes on is no client
  server.on('dropRequest', (_, client: Duplex) => client.destroy())
  server.on('clientError', (error: NodeJS.ErrnoException, client: Duplex) => {
    if (!client.writable) return void client.destroy()
    const isLarge = error.code === 'HPE_HEADER_OVERFLOW'
    return void client.end(
      lastWords({
        status: isLarge ? 431 : 400,
        statusText: isLarge ? 'Request Header Fields Too Large' : 'Bad Request',
        message: isLarge ? `The headers are larger than ${maxHeaderBytes} bytes` : 'The request is not valid HTTP',
      }),
    )
  })

  /** How long each connection has waited for its next request. */
  const resting = new WeakMap<Duplex, { start(): void; stop(): void }>()
  const watchRest = (connection: Duplex) => {
    let timer: NodeJS.Timeout | undefined
    const stop = () => clearTimeout(timer)
    const start = () => {
      stop()
      if (!connection.destroyed) timer = setTimeout(() => connection.destroy(), bounds.idleMs).unref()
    }
    resting.set(connection, { start, stop })
    connection.once('close', stop)
    start()
  }

  const endConnections = () => {
    for (const connection of open) connection.destroy()
  }
  return {
    accept(connection) {
      connection.on('error', () => {})
      if (closed.signal.aborted) return void connection.destroy()
      if (open.size >= bounds.connections) {
        const message = `Cannot connect: ${bounds.connections} connections are open already`
        return void connection.end(lastWords(toRefusal(new EgressError('LIMIT_EXCEEDED', 'busy', message))))
      }
      open.add(connection)
      connection.once('close', () => open.delete(connection))
      watchRest(connection)
      pauseBeforeEnd(connection)
      server.emit('connection', connection)
    },
    endConnections,
    async close() {
      closed.abort()
      endConnections()
      while (work.size > 0) await Promise.all(work)
    },
  }
}

/**
 * A stream that is destroyed can no longer be paused, and hands on what it holds. Node's server pauses one whose answers wait, and ends
 * the process over data that comes all the same. So it is paused first.
 */
function pauseBeforeEnd(connection: Duplex): void {
  const destroy = connection.destroy.bind(connection)
  connection.destroy = (error) => {
    connection.pause()
    return destroy(error)
  }
}

function tooMuch(bytes: number): EgressError {
  const message = `Cannot go on: more than ${bytes} bytes went through the proxy`
  return new EgressError('LIMIT_EXCEEDED', 'too-large', message)
}
