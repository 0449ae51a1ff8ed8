import type { IncomingMessage, ServerResponse } from 'node:http'
import { hopByHopHeaders } from '../connections/hop-by-hop.ts'
import type { HeaderList } from '../connections/request-headers.ts'
import { EgressError } from '../egress-error.ts'
import type { LoggedExchange } from '../outbound.ts'
import type { ProxyState } from './proxy-state.ts'
import { toRefusal } from './refusal.ts'

const hopByHop = new Set<string>(hopByHopHeaders)

/** One request in absolute form, through the guard. A redirect goes back to the client, whose next request is checked again. */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  state: ProxyState,
): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  const signal = AbortSignal.any([state.signal, left.signal])
  let exchange: LoggedExchange
  try {
    const url = request.url ?? ''
    if (!/^https?:\/\//i.test(url)) throw notForUs(url)
    const body = await readBody(request, state)
    state.count(body?.length ?? 0)
    exchange = await state.outbound.exchange(
      {
        url,
        method: request.method ?? 'GET',
        headers: endToEnd(pairs(request.rawHeaders)),
        encodings: request.headers['accept-encoding']?.toString() ?? 'identity',
        redirect: 'manual',
        ...(body && { body }),
      },
      signal,
      state.rules,
    )
  } catch (error) {
    refuse(response, error)
    return
  }
  await passOn(exchange, response, state)
}

/** The answer as it came, encoded as it was. One that breaks off breaks off for the client too. */
async function passOn(exchange: LoggedExchange, response: ServerResponse, state: ProxyState): Promise<void> {
  let bytes = 0
  try {
    response.writeHead(exchange.status, exchange.statusText, endToEnd(exchange.headers).flat())
    for await (const chunk of exchange.body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      state.count(chunk.length)
      if (!response.write(chunk)) await drained(response)
    }
    response.end()
    exchange.finish(bytes)
  } catch (error) {
    exchange.finish(bytes, error)
    if (response.headersSent) response.destroy()
    else refuse(response, error)
  }
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return
  const { status, statusText, message } = toRefusal(error)
  const text = `${message}\n`
  response.writeHead(status, statusText, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    // what is left of a body that was not read would be taken for the next request
    ...(response.req.complete ? {} : { connection: 'close' }),
  })
  response.end(response.req.method === 'HEAD' ? undefined : text)
}

async function readBody(request: IncomingMessage, state: ProxyState): Promise<Buffer | undefined> {
  const { requestBodyBytes, heldBytes, idleMs } = state.limits
  const chunks: Buffer[] = []
  let size = 0
  const idle = setTimeout(() => request.destroy(), idleMs).unref()
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      idle.refresh()
      size += chunk.length
      state.held += chunk.length
      chunks.push(chunk)
      if (size > requestBodyBytes) throw tooLarge(`its body is larger than ${requestBodyBytes} bytes`)
      if (state.held > heldBytes) throw tooLarge('the requests under way take all the memory')
    }
  } finally {
    clearTimeout(idle)
    state.held -= size
  }
  return size === 0 ? undefined : Buffer.concat(chunks)
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      response.removeListener('drain', settle)
      response.removeListener('close', settle)
      if (response.destroyed) reject(new Error('the client has gone'))
      else resolve()
    }
    response.once('drain', settle)
    response.once('close', settle)
    if (response.destroyed) settle()
  })
}

/** Without the headers of the connection, those that it names itself included. */
function endToEnd(headers: HeaderList): HeaderList {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim())
  return headers.filter(([name]) => !hopByHop.has(name.toLowerCase()) && !named.includes(name.toLowerCase()))
}

function pairs(raw: string[]): HeaderList {
  const list: HeaderList = []
  for (let i = 0; i + 1 < raw.length; i += 2) list.push([raw[i] ?? '', raw[i + 1] ?? ''])
  return list
}

function notForUs(url: string): EgressError {
  const shown = JSON.stringify(url.slice(0, 200))
  const message = `Cannot fetch ${shown}: this is a proxy, and takes whole http:// and https:// addresses`
  return new EgressError('URL_NOT_ALLOWED', 'bad-url', message)
}

function tooLarge(why: string): EgressError {
  return new EgressError('LIMIT_EXCEEDED', 'too-large', `Cannot send the request: ${why}`)
}
