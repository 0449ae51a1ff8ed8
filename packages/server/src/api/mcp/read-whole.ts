import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { CoherexError } from '@coherex/contract'
import type {
  BlobResourceContents,
  CallToolResult,
  ContentBlock,
  TextResourceContents,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

export const mostFileBytes = 1_000_000

const mediaTypes: Record<string, string> = {
  css: 'text/css',
  csv: 'text/csv',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
  png: 'image/png',
  webp: 'image/webp',
}

export interface FileToRead {
  path: string
  size: number
  body: Buffer | Readable
}

/** A file at once. A message carries what a model can read; what is larger is fetched over HTTP. */
export async function readWhole({ path, size, body }: FileToRead): Promise<Buffer> {
  if (size > mostFileBytes) {
    if (!Buffer.isBuffer(body)) body.destroy()
    throw tooLarge(path, size)
  }
  if (Buffer.isBuffer(body)) return body
  const chunks: Buffer[] = []
  let read = 0
  // one that grows while it is read
  for await (const chunk of body) {
    read += (chunk as Buffer).length
    if (read > mostFileBytes) throw tooLarge(path, read)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/** The contents of a resource: text where it is text. */
export function toContents(uri: string, path: string, bytes: Buffer): TextResourceContents | BlobResourceContents {
  const mimeType = mediaTypeOf(path, bytes)
  if (isText(bytes)) return { uri, mimeType, text: bytes.toString('utf8') }
  return { uri, mimeType, blob: bytes.toString('base64') }
}

/** A file as programs read it; what is no text is beside it, as a picture or as bytes. */
export const toldFile = z.object({
  path: z.string(),
  mimeType: z.string(),
  size: z.number(),
  text: z.string().optional(),
})

/** The same as the answer of a tool. */
export function tellFile(uri: string, path: string, bytes: Buffer): CallToolResult {
  const text = isText(bytes) ? { text: bytes.toString('utf8') } : {}
  return {
    content: [toFileBlock(uri, path, bytes)],
    structuredContent: { path, mimeType: mediaTypeOf(path, bytes), size: bytes.length, ...text },
  }
}

function toFileBlock(uri: string, path: string, bytes: Buffer): ContentBlock {
  const mimeType = mediaTypeOf(path, bytes)
  if (isText(bytes)) return { type: 'text', text: bytes.toString('utf8') }
  if (mimeType.startsWith('image/')) return { type: 'image', data: bytes.toString('base64'), mimeType }
  return { type: 'resource', resource: toContents(uri, path, bytes) }
}

export function mediaTypeOf(path: string, bytes?: Buffer): string {
  const known = mediaTypes[path.split('.').at(-1)?.toLowerCase() ?? '']
  return known ?? (bytes && !isText(bytes) ? 'application/octet-stream' : 'text/plain')
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}

function tooLarge(path: string, size: number): CoherexError {
  const most = `${mostFileBytes / 1_000_000} MB`
  return new CoherexError(
    'too_large',
    `${path} has ${size} bytes, more than the ${most} of a message: use the HTTP API`,
  )
}
