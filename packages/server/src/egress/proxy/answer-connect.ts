import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { EgressError } from '../egress-error.ts'
import type { ProxyState } from './proxy-state.ts'
import { lastWords, toRefusal } from './refusal.ts'

/** A tunnel to host and port, for whoever speaks TLS through it. Resolves when it is over. */
export async function answerConnect(
  request: IncomingMessage,
  { client, head }: { client: Duplex; head: Buffer },
  state: ProxyState,
): Promise<void> {
  const left = new AbortController()
  const leave = () => left.abort()
  client.on('error', leave)
  client.once('close', leave)
  let upstream: Socket
  let host: string
  try {
    const authority = parseAuthority(request.url ?? '')
    host = authority.host
    state.count(0)
    upstream = await state.outbound.mayConnect(host, authority.port, AbortSignal.any([state.signal, left.signal]))
  } catch (error) {
    client.end(lastWords(toRefusal(error)))
    return
  }
  if (client.destroyed) {
    await destroyed(upstream)
    return
  }
  client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  if (head.length > 0) client.unshift(head)
  client.once('data', (chunk: Buffer) => state.outbound.heard(host, chunk))
  await relay(client, upstream, state)
}

function parseAuthority(text: string): { host: string; port: number } {
  const match = /^(.+):(\d{1,5})$/.exec(text)
  if (match?.[1] && match[2]) return { host: match[1], port: Number(match[2]) }
  const shown = JSON.stringify(text.slice(0, 200))
  throw new EgressError('URL_NOT_ALLOWED', 'bad-url', `Cannot connect to ${shown}: not a host and port`)
}

/** Passes bytes on both ways until both sides have ended, one has gone, or nothing moved for too long. */
async function relay(client: Duplex, upstream: Socket, { limits, count }: ProxyState): Promise<void> {
  const end = () => {
    client.destroy()
    upstream.destroy()
  }
  const idle = setTimeout(end, limits.idleMs).unref()
  const pour = (from: Duplex, to: Duplex) => {
    from.on('data', (chunk: Buffer) => {
      idle.refresh()
      try {
        count(chunk.length)
      } catch {
        // in the middle of a tunnel there is no way to say why
        return end()
      }
      if (to.writable && !to.write(chunk)) from.pause()
    })
    to.on('drain', () => from.resume())
    from.once('end', () => to.end())
    from.once('close', () => to.destroy())
  }
  pour(client, upstream)
  pour(upstream, client)
  await new Promise<void>((resolve) => (upstream.closed ? resolve() : upstream.once('close', () => resolve())))
  clearTimeout(idle)
}

function destroyed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()).destroy())
}
