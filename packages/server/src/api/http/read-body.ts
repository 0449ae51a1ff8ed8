import { CoherexError } from '@coherex/contract'
import type { Context } from 'hono'
import type { Env } from './request-context.ts'

const largestBody = 10 * 1024 * 1024

/** The body as text, read once and no further than the limit, whatever length the client claimed. */
export function readBody(context: Context<Env>): Promise<string> {
  const known = context.get('body')
  if (known) return known
  const reading = read(context)
  context.set('body', reading)
  return reading
}

async function read(context: Context<Env>): Promise<string> {
  if (Number(context.req.header('content-length')) > largestBody) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (context.req.raw.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > largestBody) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function tooLarge(): CoherexError {
  return new CoherexError('too_large', 'The body is larger than 10 MB')
}
