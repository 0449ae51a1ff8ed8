import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { CoherexError } from '@coherex/contract'
import type { Context } from 'hono'
import type { Env } from './request-context.ts'

const largestBody = 10 * 1024 * 1024
/** How much more is read and thrown away, so that the client has sent all of it and hears the answer. */
const largestRest = 50 * 1024 * 1024

/** The body as text, read once and no further than the limit, whatever length the client claimed. */
export function readBody(context: Context<Env>): Promise<string> {
  const known = context.get('body')
  if (known) return known
  const reading = read(context)
  context.set('body', reading)
  return reading
}

async function read(context: Context<Env>): Promise<string> {
  const bytes = await readBytes(context, largestBody)
  // decoded all the same, code in another encoding would run with other characters than were meant
  if (!isUtf8(bytes)) throw new CoherexError('invalid_input', 'The body is not valid UTF-8')
  return bytes.toString('utf8')
}

/** The body as it came, no further than `most`. */
export async function readBytes(context: Context<Env>, most: number): Promise<Buffer> {
  if (Number(context.req.header('content-length')) > most) throw tooLarge(most)
  const chunks: Uint8Array[] = []
  let size = 0
  // not cancelled when it is too large: that would cut the connection before the client could read why
  await readChunks(context.env.incoming, (chunk) => {
    size += chunk.length
    if (size <= most) chunks.push(chunk)
    return size <= most + largestRest
  })
  if (size > most) throw tooLarge(most)
  return Buffer.concat(chunks)
}

/** From the socket itself: a web stream around it would cost more than the rest of a small request. */
function readChunks(incoming: IncomingMessage, take: (chunk: Buffer) => boolean): Promise<void> {
  if (incoming.readableEnded) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      incoming.off('data', receive).off('end', settle).off('close', cut)
      if (error) reject(error)
      else resolve()
    }
    const receive = (chunk: Buffer) => {
      if (take(chunk)) return
      incoming.pause()
      settle()
    }
    const cut = () => settle(new CoherexError('invalid_input', 'The body was cut off'))
    incoming.on('data', receive).once('end', settle).once('close', cut)
  })
}

function tooLarge(most: number): CoherexError {
  return new CoherexError('too_large', `The body is larger than ${most / 1024 / 1024} MB`)
}
