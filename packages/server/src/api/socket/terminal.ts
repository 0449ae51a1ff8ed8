import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CoherexError, errorStatus, socketClose, terminalControl, type TerminalEvent } from '@coherex/contract'
import { WebSocketServer, type WebSocket } from 'ws'
import { checkAccess, inTeam, accessEvents, type IdentifyCaller, type TeamCaller } from '../../access/index.ts'
import type { EventBus, Log } from '../../base/index.ts'
import type { RunningProcess, Sandboxes } from '../../runs/index.ts'
import { isOurHost, isOurOrigin } from '../http/guard-requests.ts'
import { toIdentifyingHeaders } from './identifying-headers.ts'

export interface TerminalSocketOptions {
  sandboxes: Sandboxes
  events: EventBus
  identifyCaller: IdentifyCaller
  publicUrl: string
  log: Log
}

const access = { role: 'editor', scope: 'run' } as const
const ownPath = /^\/api\/v1\/sandboxes\/(sbx_[0-9a-z]{20,32})\/terminal$/
const recheckEveryMs = 3000
const largestMessage = 64 * 1024
const terminalsPerTeam = 50
// a reader this far behind misses some of what scrolls by
const largestBacklog = 4 * 1024 * 1024

/**
 * WS /api/v1/sandboxes/{id}/terminal: a shell. Bytes are the terminal's, text is JSON that controls it. The shell ends with
 * its socket, and the socket within seconds after its person lost access.
 */
export function createTerminalSocket({ sandboxes, events, identifyCaller, publicUrl, log }: TerminalSocketOptions) {
  const server = new WebSocketServer({ noServer: true, maxPayload: largestMessage })
  const open = new Map<WebSocket, { caller: TeamCaller; headers: Headers; isAnswering: boolean }>()

  const unsubscribe = events.subscribe((event) => {
    if (accessEvents.has(event.type)) for (const socket of open.keys()) void recheck(socket)
  })
  const timer = setInterval(() => {
    for (const [socket, known] of open) {
      // who did not answer since the last round is gone: their network never told us
      if (!known.isAnswering) socket.terminate()
      known.isAnswering = false
      socket.ping()
      void recheck(socket)
    }
  }, recheckEveryMs)
  timer.unref()

  async function recheck(socket: WebSocket): Promise<void> {
    const known = open.get(socket)
    if (!known) return
    try {
      const caller = await identifyCaller(known.headers, known.caller)
      if (!caller) return socket.close(socketClose.unauthenticated, 'signed out')
      checkAccess(access, caller)
      if (caller.teamId !== known.caller.teamId) socket.close(socketClose.forbidden, 'another team')
    } catch (error) {
      if (error instanceof CoherexError && error.code === 'unauthenticated') socket.close(socketClose.unauthenticated)
      else if (error instanceof CoherexError) socket.close(socketClose.forbidden, 'no access')
      // the database is away: the next round checks again
      else log.warn({ error }, 'a terminal could not be checked')
    }
  }

  async function admit(request: IncomingMessage): Promise<{ caller: TeamCaller; headers: Headers }> {
    const { host, origin } = request.headers
    if (!isOurHost(host, publicUrl) || !isOurOrigin(origin, host, publicUrl)) {
      throw new CoherexError('forbidden', 'Requests from other sites are refused')
    }
    const headers = toIdentifyingHeaders(request)
    const caller = await identifyCaller(headers, { ip: request.socket.remoteAddress ?? null, requestId: null })
    if (!caller) throw new CoherexError('unauthenticated', 'Sign in, or send an API key')
    checkAccess(access, caller)
    const own = [...open.values()].filter((one) => one.caller.teamId === caller.teamId)
    if (own.length >= terminalsPerTeam) throw new CoherexError('quota_exceeded', 'Too many terminals are open')
    return { caller: inTeam(caller), headers }
  }

  return {
    takes: (path: string | undefined): boolean => ownPath.test(path ?? ''),

    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      try {
        const url = new URL(request.url ?? '', publicUrl)
        const id = ownPath.exec(url.pathname)?.[1] ?? ''
        const { caller, headers } = await admit(request)
        const terminal = terminalControl.omit({ type: true }).parse({
          columns: Number(url.searchParams.get('columns') ?? 80),
          rows: Number(url.searchParams.get('rows') ?? 24),
        })
        const running = await sandboxes.startProcess(caller.teamId, id, { command: '', terminal })
        server.handleUpgrade(request, socket, head, (webSocket) => {
          const known = { caller, headers, isAnswering: true }
          open.set(webSocket, known)
          webSocket.on('pong', () => (known.isAnswering = true))
          webSocket.on('close', () => open.delete(webSocket))
          joinTerminal(webSocket, running, () => sandboxes.awake(caller.teamId, id)?.touch())
        })
        // whoever was refused by the handshake itself leaves no shell behind
        socket.once('close', () => running.process.kill('SIGHUP'))
      } catch (error) {
        const status =
          error instanceof CoherexError
            ? errorStatus[error.code]
            : error instanceof Error && error.name === 'ZodError'
              ? 400
              : 500
        if (status === 500) log.error({ error }, 'a terminal could not be opened')
        socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      }
    },

    close(): void {
      clearInterval(timer)
      unsubscribe()
      for (const socket of open.keys()) socket.close(socketClose.stopping, 'the server stops')
      server.close()
    },
  }
}

function joinTerminal(socket: WebSocket, { process }: RunningProcess, touch: () => void): void {
  for (const { text } of process.recentOutput) socket.send(Buffer.from(text))
  const stop = process.onOutput((_stream, chunk) => {
    if (socket.bufferedAmount < largestBacklog) socket.send(chunk)
  })
  socket.on('message', (data: Buffer, isBinary) => {
    touch()
    if (isBinary) return process.write(data)
    const control = terminalControl.safeParse(parseJson(data.toString()))
    if (control.success) process.resize(control.data.columns, control.data.rows)
    else socket.close(1008, 'not understood')
  })
  socket.on('close', stop)
  socket.on('error', () => socket.terminate())
  void process.exited.then(({ code, signal }) => {
    socket.send(JSON.stringify({ type: 'exit', code, signal } satisfies TerminalEvent), () => socket.close(1000))
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
