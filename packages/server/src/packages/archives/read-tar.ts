import { ArchiveRefused } from './archive-guard.ts'

/** One entry of a tar archive. Its content comes next, in as many pieces as it takes. */
export interface TarEntry {
  path: string
  size: number
  kind: 'file' | 'directory' | 'link' | 'device'
  isExecutable: boolean
}

export interface TarReader {
  onEntry(entry: TarEntry): void
  onContent(piece: Buffer): void
}

const block = 512
// names and a few attributes: more of them is memory that a stranger takes
const maxExtensionBytes = 65_536
const maxExtensions = 200_000
const kinds: Record<string, TarEntry['kind']> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '1': 'link',
  '2': 'link',
  '3': 'device',
  '4': 'device',
  '5': 'directory',
  '6': 'device',
}

interface Extension {
  path?: string
  size?: number
}

/** Reads ustar with the extensions of pax and GNU, in pieces as they come, and holds one header at most. */
export async function readTar(pieces: AsyncIterable<Buffer>, reader: TarReader): Promise<void> {
  let held = Buffer.alloc(0)
  let content = 0
  let padding = 0
  let extension: Extension = {}
  let reading: { type: string; size: number } | undefined
  let isOver = false
  let extensions = 0

  const takeHeader = (header: Buffer) => {
    if (header.every((byte) => byte === 0)) return void (isOver = true)
    checkSum(header)
    const type = String.fromCharCode(header[156] ?? 0)
    const size = readNumber(header, 124, 12)
    if (type === 'x' || type === 'g' || type === 'L' || type === 'K') {
      if (size > maxExtensionBytes || ++extensions > maxExtensions) throw damaged('its headers are too large')
      reading = { type, size }
      return
    }
    const kind = kinds[type]
    if (!kind) throw damaged('it has an entry of an unknown kind')
    const hasContent = kind === 'file'
    const entry: TarEntry = {
      path: extension.path ?? readPath(header),
      size: hasContent ? (extension.size ?? size) : 0,
      kind,
      isExecutable: (readNumber(header, 100, 8) & 0o111) !== 0,
    }
    extension = {}
    content = entry.size
    padding = (block - (content % block)) % block
    reader.onEntry(entry)
  }

  const takeExtension = ({ type, size }: { type: string; size: number }, bytes: Buffer) => {
    const text = bytes.subarray(0, size)
    if (type === 'L') extension.path = cString(text)
    // what holds for all entries, and targets of links, are of no use here
    else if (type === 'x') extension = { ...extension, ...readPax(text) }
  }

  for await (const piece of pieces) {
    // what follows the end could be decompressed for ever
    if (isOver) break
    let at = 0
    while (at < piece.length && !isOver) {
      if (content > 0) {
        const end = Math.min(piece.length, at + content)
        reader.onContent(piece.subarray(at, end))
        content -= end - at
        at = end
        continue
      }
      if (padding > 0) {
        const skipped = Math.min(padding, piece.length - at)
        padding -= skipped
        at += skipped
        continue
      }
      const wanted = reading ? Math.ceil(reading.size / block) * block : block
      const taken = piece.subarray(at, at + wanted - held.length)
      at += taken.length
      held = held.length === 0 ? Buffer.from(taken) : Buffer.concat([held, taken])
      if (held.length < wanted) continue
      const whole = held
      held = Buffer.alloc(0)
      if (reading) {
        takeExtension(reading, whole)
        reading = undefined
      } else takeHeader(whole)
    }
  }
  if (content > 0 || held.length > 0 || reading) throw damaged('it ends in the middle of a file')
}

function checkSum(header: Buffer): void {
  let sum = 0
  for (let at = 0; at < block; at++) sum += at >= 148 && at < 156 ? 32 : (header[at] ?? 0)
  if (sum !== readNumber(header, 148, 8)) throw damaged('a header has a wrong checksum')
}

function readNumber(header: Buffer, start: number, length: number): number {
  const bytes = header.subarray(start, start + length)
  if (((bytes[0] ?? 0) & 0x80) !== 0) {
    // GNU's form of large numbers
    const value = bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, (bytes[0] ?? 0) & 0x7f)
    if (!Number.isSafeInteger(value)) throw damaged('a size is too large')
    return value
  }
  const text = cString(bytes).trim()
  if (!/^[0-7]*$/.test(text)) throw damaged('a number in a header is none')
  return text === '' ? 0 : Number.parseInt(text, 8)
}

function readPath(header: Buffer): string {
  const name = cString(header.subarray(0, 100))
  const isUstar = header.toString('latin1', 257, 262) === 'ustar'
  const prefix = isUstar && header[263] === 0x30 ? cString(header.subarray(345, 500)) : ''
  return prefix ? `${prefix}/${name}` : name
}

function readPax(text: Buffer): Extension {
  const found: Extension = {}
  for (let at = 0; at < text.length;) {
    const space = text.indexOf(0x20, at)
    const length = space < 0 ? Number.NaN : Number(text.toString('latin1', at, space))
    if (!Number.isInteger(length) || length < 5 || at + length > text.length) throw damaged('a header is damaged')
    const line = text.toString('utf8', space + 1, at + length - 1)
    const equals = line.indexOf('=')
    const value = line.slice(equals + 1)
    if (line.startsWith('path=')) found.path = value
    if (line.startsWith('size=')) {
      found.size = Number(value)
      if (!/^\d{1,15}$/.test(value)) throw damaged('a size is not a number')
    }
    at += length
  }
  return found
}

function cString(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}

function damaged(why: string): ArchiveRefused {
  return new ArchiveRefused('invalid_input', `it is damaged: ${why}`)
}
