import { inflateSync } from 'node:zlib'
import type { GitLimits } from './git-limits.ts'
import { GitRefused } from './git-refusal.ts'

const trailerBytes = 20
const headerBytes = 12
const offsetDelta = 6
const refDelta = 7
const plainTypes = new Set([1, 2, 3, 4])

/**
 * Reads a pack from end to end within the limits, before anything is made of it: a library unpacks what it finds,
 * however large that becomes. Says nothing about what the objects are.
 */
export function checkPack(pack: Buffer, limits: GitLimits): void {
  if (pack.length > limits.packBytes) throw tooLarge(`its pack has more than ${limits.packBytes / 1e6} MB`)
  if (pack.length < headerBytes + trailerBytes || pack.toString('latin1', 0, 4) !== 'PACK') throw broken()
  const version = pack.readUInt32BE(4)
  const count = pack.readUInt32BE(8)
  if (version !== 2 && version !== 3) throw broken()
  if (count > limits.objects) throw tooLarge(`it has more than ${limits.objects} objects`)

  const depths = new Map<number, number>()
  const end = pack.length - trailerBytes
  let unpacked = 0
  let at = headerBytes
  for (let index = 0; index < count; index++) {
    const start = at
    const { type, size, next } = readHeader(pack, at, end)
    at = next
    let depth = 0
    if (type === offsetDelta) {
      const { distance, next: after } = readDistance(pack, at, end)
      const below = depths.get(start - distance)
      if (below === undefined) throw broken()
      depth = below + 1
      at = after
    } else if (type === refDelta) {
      at += 20
      depth = 1
    } else if (!plainTypes.has(type)) throw broken()
    if (depth > limits.deltas) throw tooLarge(`its deltas lie more than ${limits.deltas} upon each other`)
    depths.set(start, depth)
    if (size > limits.unpackedBytes) throw tooMuch(limits)
    const { bytes, read } = unpack(pack.subarray(at, end), size)
    at += read
    // a delta of a few bytes can stand for a gigabyte
    unpacked += type === offsetDelta || type === refDelta ? size + targetSize(bytes) : size
    if (unpacked > limits.unpackedBytes) throw tooMuch(limits)
  }
  if (at !== end) throw broken()
}

/** Never unpacks more than the object says it has. */
function unpack(packed: Buffer, size: number): { bytes: Buffer; read: number } {
  try {
    // a limit of zero is none
    const { buffer, engine } = inflateSync(packed, { maxOutputLength: Math.max(1, size), info: true }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (buffer.length !== size) throw broken()
    return { bytes: buffer, read: engine.bytesWritten }
  } catch {
    throw broken()
  }
}

function readHeader(pack: Buffer, from: number, end: number): { type: number; size: number; next: number } {
  let at = from
  let byte = byteAt(pack, at++, end)
  const type = (byte >> 4) & 7
  let size = byte & 15
  for (let factor = 16; byte & 0x80; factor *= 128) {
    if (at - from > 8) throw broken()
    byte = byteAt(pack, at++, end)
    size += (byte & 0x7f) * factor
  }
  return { type, size, next: at }
}

function readDistance(pack: Buffer, from: number, end: number): { distance: number; next: number } {
  let at = from
  let byte = byteAt(pack, at++, end)
  let distance = byte & 0x7f
  while (byte & 0x80) {
    if (at - from > 8) throw broken()
    byte = byteAt(pack, at++, end)
    distance = (distance + 1) * 128 + (byte & 0x7f)
  }
  return { distance, next: at }
}

/** What a delta makes: the second of the two sizes that it begins with. */
function targetSize(delta: Buffer): number {
  let at = 0
  let size = 0
  for (let number = 0; number < 2; number++) {
    size = 0
    for (let factor = 1, byte = 0x80; byte & 0x80; factor *= 128) {
      if (factor > 2 ** 49) throw broken()
      byte = byteAt(delta, at++, delta.length)
      size += (byte & 0x7f) * factor
    }
  }
  return size
}

function byteAt(bytes: Buffer, at: number, end: number): number {
  if (at >= end) throw broken()
  return bytes[at] ?? 0
}

function broken(): GitRefused {
  return new GitRefused('invalid_input', 'The repository cannot be read: its pack is broken', 'url')
}

function tooLarge(why: string): GitRefused {
  return new GitRefused('too_large', `The repository is too large: ${why}`, 'url')
}

function tooMuch({ unpackedBytes }: GitLimits): GitRefused {
  return tooLarge(`unpacked it has more than ${unpackedBytes / 1e6} MB`)
}
