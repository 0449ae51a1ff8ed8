import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CoherexError, socketClose, terminalControl, type TerminalEvent } from '@coherex/contract'
import { WebSocketServer, type WebSocket } from 'ws'
import { checkAccess, inTeam, type IdentifyCaller } from '../../access/index.ts'
import { actFor, type EventFeed, type Log } from '../../base/index.ts'
import type { RunningProcess, Sandboxes } from '../../runs/index.ts'
import { admitSocket, refuseSocket, type Admitted } from './admit-socket.ts'
import { createKeptShells } from './kept-shells.ts'
import { closeSocket, watchSockets } from './watch-sockets.ts'

export interface TerminalSocketOptions {
  sandboxes: Sandboxes
  events: EventFeed
  identifyCaller: IdentifyCaller
  publicUrl: string
  log: Log
}

interface Terminal extends Admitted {
  sandboxId: string
}

/** How long a shell that is kept waits for somebody to come back; its sandbox may fall asleep before. */
const keptMs = 60 * 60_000
const access = { role: 'editor', scope: 'run' } as const
const ownPath = /^\/api\/v1\/sandboxes\/(sbx_[0-9a-z]{20,32})\/terminal$/
const largestMessage = 64 * 1024
const terminalsPerTeam = 50
// a reader this far behind misses some of what scrolls by
const largestBacklog = 1024 * 1024

/**
 * WS /api/v1/sandboxes/{id}/terminal: a shell. Bytes are the terminal's, text is JSON that controls it. The shell ends with
 * its socket; with `keep=true` it waits a while for somebody to come back by `process=`, its number, and shows its newest output.
 * The socket ends within seconds after its person lost access, and a shell that nobody else looks at with it.
 */
export function createTerminalSocket({ sandboxes, events, identifyCaller, publicUrl, log }: TerminalSocketOptions) {
  const server = new WebSocketServer({ noServer: true, maxPayload: largestMessage })
  /** Those whose people may no longer have them. */
  const lost = new WeakSet<WebSocket>()
  const sockets = watchSockets<Terminal>({
    events,
    identifyCaller,
    log,
    async check(caller, { sandboxId }) {
      checkAccess(access, caller)
      // the thread it belongs to may have become private
      await actFor(caller.person.id, () => sandboxes.find(inTeam(caller).teamId, sandboxId))
    },
    end(socket, known, error) {
      lost.add(socket)
      closeSocket(socket, known, error)
    },
  })

  const start = (teamId: string, id: string, terminal: TerminalSize): Promise<RunningProcess> =>
    sandboxes.startProcess(teamId, id, { command: '', terminal })

  /** A shell that runs already; it takes the size of whoever came last. */
  async function find(
    { teamId, id, pid }: { teamId: string; id: string; pid: number },
    size: TerminalSize,
  ): Promise<RunningProcess> {
    await sandboxes.findUsable(teamId, id)
    const found = sandboxes
      .awake(teamId, id)
      ?.processes()
      .find((one) => one.process.pid === pid)
    if (!found?.process.isTerminal || found.exit) throw new CoherexError('not_found', `There is no terminal ${pid}`)
    found.process.resize(size.columns, size.rows)
    return found
  }

  async function admit(request: IncomingMessage): Promise<Admitted> {
    const admitted = await admitSocket(request, { identifyCaller, publicUrl })
    const { caller } = admitted
    checkAccess(access, caller)
    const own = [...sockets.open.values()].filter((one) => one.caller.teamId === caller.teamId)
    if (own.length >= terminalsPerTeam) throw new CoherexError('quota_exceeded', 'Too many terminals are open')
    return admitted
  }

  const shells = createKeptShells(keptMs)

  return {
    takes: (path: string | undefined): boolean => ownPath.test(path ?? ''),

    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      try {
        const url = new URL(request.url ?? '', publicUrl)
        const id = ownPath.exec(url.pathname)?.[1] ?? ''
        const admitted = await admit(request)
        const { teamId, person } = admitted.caller
        const size = readSize({
          columns: Number(url.searchParams.get('columns') ?? 80),
          rows: Number(url.searchParams.get('rows') ?? 24),
        })
        const process = url.searchParams.get('process')
        const shell = await actFor(person.id, () =>
          process === null ? start(teamId, id, size) : find({ teamId, id, pid: Number(process) }, size),
        )
        const leave = shells.join(shell, { isKept: url.searchParams.get('keep') === 'true' })
        // whoever was refused by the handshake itself leaves no shell behind
        const leaveBefore = () => leave({ hasLost: true })
        socket.once('close', leaveBefore)
        server.handleUpgrade(request, socket, head, (webSocket) => {
          socket.off('close', leaveBefore)
          sockets.add(webSocket, { ...admitted, sandboxId: id })
          webSocket.once('close', () => leave({ hasLost: lost.has(webSocket) }))
          joinTerminal(webSocket, shell, () => sandboxes.awake(teamId, id)?.touch())
        })
      } catch (error) {
        if (refuseSocket(socket, error) === 500) log.error({ error }, 'a terminal could not be opened')
      }
    },

    close(): void {
      shells.close()
      sockets.close()
      for (const socket of sockets.open.keys()) socket.close(socketClose.stopping, 'the server stops')
      server.close()
    },
  }
}

interface TerminalSize {
  columns: number
  rows: number
}

function readSize(asked: TerminalSize): TerminalSize {
  const size = terminalControl.omit({ type: true }).safeParse(asked)
  if (!size.success) throw new CoherexError('invalid_input', 'A terminal has columns and rows')
  return size.data
}

function joinTerminal(socket: WebSocket, { process }: RunningProcess, touch: () => void): void {
  socket.send(JSON.stringify({ type: 'open', process: process.pid } satisfies TerminalEvent))
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
