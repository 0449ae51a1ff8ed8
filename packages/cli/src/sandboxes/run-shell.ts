import { CoherexError, socketClose, type TerminalEvent } from '@coherex/contract'
import { openSocket, type Connection } from '../connect.ts'
import { exitCode } from '../exit-code.ts'
import type { Terminal } from '../terminal.ts'

/** Joins this terminal with a shell in a sandbox until either ends. Gives the shell's exit code. */
export async function runShell(connection: Connection, terminal: Terminal, id: string): Promise<number> {
  const size = terminal.size()
  const query = `columns=${size.columns}&rows=${size.rows}`
  const socket = openSocket(connection, `/api/v1/sandboxes/${id}/terminal?${query}`)
  return new Promise((resolve, reject) => {
    let ended: number | undefined
    let release = () => {}
    socket.on('open', () => {
      release = terminal.takeOver({
        onInput: (bytes) => socket.send(bytes),
        // from a pipe: the shell hears that there is no more, as Ctrl-D says
        onEnd: () => socket.send(Buffer.of(4)),
        onResize: (now) => socket.send(JSON.stringify({ type: 'resize', ...now })),
      })
    })
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return terminal.write('out', data)
      const event = JSON.parse(data.toString()) as TerminalEvent
      if (event.type === 'exit') ended = event.code ?? exitCode.failure
    })
    socket.on('unexpected-response', (_request, response) => reject(toRefusal(response.statusCode ?? 0, id)))
    socket.on('error', (cause) =>
      reject(new CoherexError('unavailable', `Cannot reach Coherex: ${cause.message}`, { cause })),
    )
    socket.on('close', (code) => {
      release()
      if (ended !== undefined) resolve(ended)
      else reject(toClosed(code))
    })
  })
}

function toRefusal(status: number, id: string): CoherexError {
  if (status === 401) return new CoherexError('unauthenticated', 'Not signed in. Run coherex login first')
  if (status === 403) return new CoherexError('forbidden', 'You may not open terminals: it takes an editor')
  if (status === 404) return new CoherexError('not_found', `There is no sandbox ${id}`)
  if (status === 409) return new CoherexError('conflict', `Sandbox ${id} has ended`)
  if (status === 429)
    return new CoherexError('quota_exceeded', 'The team has as many sandboxes or terminals open as it may')
  return new CoherexError('unavailable', `The server answered with status ${status}`)
}

function toClosed(code: number): CoherexError {
  if (code === socketClose.unauthenticated) return new CoherexError('unauthenticated', 'The key is not valid any more')
  if (code === socketClose.forbidden) return new CoherexError('forbidden', 'You may not use this sandbox any more')
  return new CoherexError('unavailable', 'The terminal was cut off')
}
