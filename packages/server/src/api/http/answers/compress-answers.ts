import { Duplex } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { MiddlewareHandler } from 'hono'
import type { Env } from '../requests/request-context.ts'
import { holdBehind } from './guard-answers.ts'

const smallest = 1024
// an event stream must not wait for a compressor's block to fill
const compressible = /^(application\/(json|x-ndjson)|text\/(?!event-stream))/
const compressors = {
  // the default of 11 takes a hundred times as long for a tenth less
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip(),
}

/** Large answers travel compressed, where the client can read that. */
export const compressAnswers: MiddlewareHandler<Env> = async (context, next) => {
  await next()
  const { res } = context
  const length = res.headers.get('content-length')
  if (!res.body || res.headers.has('content-encoding') || (length && Number(length) < smallest)) return
  if (!compressible.test(res.headers.get('content-type') ?? '')) return
  res.headers.append('vary', 'accept-encoding')
  const encoding = chooseEncoding(context.req.header('accept-encoding'))
  if (!encoding || context.req.method === 'HEAD') return
  // it is taken from as slowly as the client reads
  if (length) holdBehind(context.env.outgoing, Number(length))
  const compressor = Duplex.toWeb(compressors[encoding]()) as ReadableWritablePair
  context.res = new Response(res.body.pipeThrough(compressor), res)
  context.res.headers.delete('content-length')
  context.res.headers.set('content-encoding', encoding)
}

type ReadableWritablePair = { readable: ReadableStream<Uint8Array>; writable: WritableStream<Uint8Array> }

/** The better one of those the client takes; `q=0` refuses one. */
export function chooseEncoding(accepted: string | undefined): keyof typeof compressors | undefined {
  const refused = new Set<string>()
  const taken = new Set<string>()
  for (const entry of accepted?.toLowerCase().split(',') ?? []) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const zero = parameters.some((one) => /^q=0(\.0*)?$/.test(one))
    ;(zero ? refused : taken).add(name)
  }
  return (['br', 'gzip'] as const).find((one) => taken.has(one) || (taken.has('*') && !refused.has(one)))
}
