import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CoherexError, socketClose, terminalControl, type TerminalEvent } from '@coherex/contract'
import { WebSocketServer, type WebSocket } from 'ws'
import { checkAccess, type IdentifyCaller } from '../../access/index.ts'
import type { EventFeed, Log } from '../../base/index.ts'
import type { RunningProcess, Sandboxes } from '../../runs/index.ts'
import { admitSocket, refuseSocket, type Admitted } from './admit-socket.ts'
import { watchSockets } from './watch-sockets.ts'

export interface TerminalSocketOptions {
  sandboxes: Sandboxes
  events: EventFeed
  identifyCaller: IdentifyCaller
  publicUrl: string
  log: Log
}

const access = { role: 'editor', scope: 'run' } as const
const ownPath = /^\/api\/v1\/sandboxes\/(sbx_[0-9a-z]{20,32})\/terminal$/
const largestMessage = 64 * 1024
const terminalsPerTeam = 50
// a reader this far behind misses some of what scrolls by
const largestBacklog = 1024 * 1024

/**
 * WS /api/v1/sandboxes/{id}/terminal: a shell. Bytes are the terminal's, text is JSON that controls it. The shell ends with
 * its socket, and the socket within seconds after its person lost access.
 */
export function createTerminalSocket({ sandboxes, events, identifyCaller, publicUrl, log }: TerminalSocketOptions) {
  const server = new WebSocketServer({ noServer: true, maxPayload: largestMessage })
  const sockets = watchSockets({
    events,
    identifyCaller,
    log,
    check: (caller) => checkAccess(access, caller),
  })

  async function admit(request: IncomingMessage): Promise<Admitted> {
    const admitted = await admitSocket(request, { identifyCaller, publicUrl })
    const { caller } = admitted
    checkAccess(access, caller)
    const own = [...sockets.open.values()].filter((one) => one.caller.teamId === caller.teamId)
    if (own.length >= terminalsPerTeam) throw new CoherexError('quota_exceeded', 'Too many terminals are open')
    return admitted
  }

  return {
    takes: (path: string | undefined): boolean => ownPath.test(path ?? ''),

    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      try {
        const url = new URL(request.url ?? '', publicUrl)
        const id = ownPath.exec(url.pathname)?.[1] ?? ''
        const admitted = await admit(request)
        const { teamId } = admitted.caller
        const terminal = readSize({
          columns: Number(url.searchParams.get('columns') ?? 80),
          rows: Number(url.searchParams.get('rows') ?? 24),
        })
        const running = await sandboxes.startProcess(teamId, id, { command: '', terminal })
        server.handleUpgrade(request, socket, head, (webSocket) => {
          sockets.add(webSocket, admitted)
          joinTerminal(webSocket, running, () => sandboxes.awake(teamId, id)?.touch())
        })
        // whoever was refused by the handshake itself leaves no shell behind
        socket.once('close', () => running.process.kill('SIGHUP'))
      } catch (error) {
        if (refuseSocket(socket, error) === 500) log.error({ error }, 'a terminal could not be opened')
      }
    },

    close(): void {
      sockets.close()
      for (const socket of sockets.open.keys()) socket.close(socketClose.stopping, 'the server stops')
      server.close()
    },
  }
}

function readSize(asked: { columns: number; rows: number }): { columns: number; rows: number } {
  const size = terminalControl.omit({ type: true }).safeParse(asked)
  if (!size.success) throw new CoherexError('invalid_input', 'A terminal has columns and rows')
  return size.data
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
