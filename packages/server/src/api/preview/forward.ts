import {
  request as requestHttp,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CoherexError } from '@coherex/contract'
import { isPlainHtml } from './preview-headers.ts'
import { rebaseHtml } from './rebase-html.ts'

interface Forward {
  /** To the process in the sandbox; nothing here dials. */
  connection: Duplex
  path: string
  headers: OutgoingHttpHeaders
}

const answerMs = 60_000

/** Passes a request on over a connection into a sandbox, and its answer back. */
export async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  {
    connection,
    path,
    headers,
    prefix,
    toBrowser,
  }: Forward & { prefix: string; toBrowser(headers: IncomingHttpHeaders): OutgoingHttpHeaders },
): Promise<void> {
  const outgoing = open({ connection, path, headers }, request.method ?? 'GET')
  response.once('close', () => connection.destroy())
  try {
    const answered = answerOf(outgoing)
    request.pipe(outgoing)
    const answer = await answered
    response.writeHead(answer.statusCode ?? 502, toBrowser(answer.headers))
    const changes = isPlainHtml(answer.headers) ? [rebaseHtml(prefix)] : []
    await pipeline([answer, ...changes, response])
  } catch (error) {
    if (response.headersSent) response.destroy()
    else throw notAnswered(error)
  } finally {
    // it may have answered before it had heard everything: the rest is for nobody, and the client's next request comes after it
    request.unpipe(outgoing)
    request.resume()
    connection.destroy()
  }
}

// what a handshake is made of; anything else a guest says in it, such as a cookie, stays with it
const handshake = ['sec-websocket-accept', 'sec-websocket-protocol', 'sec-websocket-extensions'] as const

/** Joins a browser's WebSocket with one in a sandbox until either ends. */
export async function forwardUpgrade(
  { socket, head }: { socket: Duplex; head: Buffer },
  { connection, path, headers }: Forward,
): Promise<void> {
  const outgoing = open(
    { connection, path, headers: { ...headers, connection: 'Upgrade', upgrade: 'websocket' } },
    'GET',
  )
  try {
    const upgraded = upgradeOf(outgoing)
    outgoing.end()
    const { answer, rest } = await upgraded
    const lines = handshake.flatMap((name) => (answer.headers[name] ? [`${name}: ${answer.headers[name]}`] : []))
    socket.write(
      ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket', ...lines, '', ''].join('\r\n'),
    )
    socket.write(rest)
    connection.write(head)
    await Promise.all([pipeline(socket, connection), pipeline(connection, socket)]).catch(() => undefined) // either side hung up
  } catch (error) {
    throw notAnswered(error)
  } finally {
    connection.destroy()
    if (socket instanceof Socket) socket.destroySoon()
  }
}

function open({ connection, path, headers }: Forward, method: string) {
  return requestHttp({ createConnection: () => connection, method, path, headers, setHost: false, timeout: answerMs })
}

function answerOf(outgoing: ReturnType<typeof open>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.once('upgrade', () => reject(new Error('it switched protocols unasked')))
    outgoing.once('error', reject)
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')))
  })
}

function upgradeOf(outgoing: ReturnType<typeof open>): Promise<{ answer: IncomingMessage; rest: Buffer }> {
  return new Promise((resolve, reject) => {
    outgoing.once('upgrade', (answer: IncomingMessage, _socket: Duplex, rest: Buffer) => resolve({ answer, rest }))
    outgoing.once('response', ({ statusCode }) => reject(new Error(`it answered ${statusCode}`)))
    outgoing.once('error', reject)
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')))
  })
}

function notAnswered(cause: unknown): CoherexError {
  return new CoherexError('unavailable', 'What listens on this port of the sandbox did not answer', { cause })
}
