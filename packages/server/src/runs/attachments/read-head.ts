import type { Readable } from 'node:stream'

export const mostImageBytes = 5 * 1024 * 1024
const headBytes = 4_096
const headLetters = 1_500

/** The first bytes of a file. */
export async function readHead(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= headBytes) break
  }
  return Buffer.concat(chunks).subarray(0, headBytes)
}

const beginnings: [string, RegExp][] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
]

/** What models take as an image, by its bytes and not by its name. */
export function imageTypeOf(head: Buffer): string | undefined {
  const text = head.subarray(0, 16).toString('latin1')
  return beginnings.find(([, begins]) => begins.test(text))?.[0]
}

/** The first lines of a text of that size; undefined for what is no text. */
export function toText(head: Buffer, size: number): string | undefined {
  // the last character may be cut in the middle
  const text = new TextDecoder('utf-8').decode(head, { stream: head.length < size })
  // oxlint-disable-next-line no-control-regex -- bytes that no text has
  if (text.includes('\uFFFD') || /[\u0000-\u0008\u000e-\u001f]/.test(text)) return undefined
  return text.slice(0, headLetters).toWellFormed()
}
