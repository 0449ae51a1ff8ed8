// Runs on both sides of the shell's pipe.
import { Buffer } from 'node:buffer'

const headerBytes = 4

/** A message as four bytes of length and JSON. */
export function encodeFrame(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message))
  const frame = Buffer.allocUnsafe(headerBytes + body.length)
  frame.writeUInt32BE(body.length, 0)
  body.copy(frame, headerBytes)
  return frame
}

/** Takes chunks as they come and gives whole messages. Throws on a frame that is too long or not JSON. */
export function createFrameReader(maxBytes: number, onMessage: (message: unknown) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = []
  let size = 0
  let wanted = headerBytes
  let isHeader = true
  const take = (): Buffer => {
    // joined once per frame, not once per chunk: a long frame in small pieces must not cost its square
    const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)
    const rest = all.subarray(wanted)
    chunks = rest.length > 0 ? [rest] : []
    size = rest.length
    return all.subarray(0, wanted)
  }
  return (chunk) => {
    chunks.push(chunk)
    size += chunk.length
    while (size >= wanted) {
      const part = take()
      if (isHeader) {
        wanted = part.readUInt32BE(0)
        if (wanted > maxBytes) throw new Error('Cannot read a frame: it is too long')
      } else {
        wanted = headerBytes
        onMessage(JSON.parse(part.toString('utf8')))
      }
      isHeader = !isHeader
    }
  }
}
