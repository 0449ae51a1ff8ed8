/** A file as the directory at the end of a zip has it. */
export interface ListedFile {
  /** As it is written, by the archive's own word on its letters. */
  name: string
  /** CRC-32 of what is in it. */
  checksum: number
  isEncrypted: boolean
}

/** The end of an archive that its directory is surely in: ten thousand files with long paths. */
export const mostDirectoryBytes = 12 * 1024 * 1024

const endSignature = 0x06054b50
const fileSignature = 0x02014b50
const endBytes = 22
const mostCommentBytes = 65_535
/** Stands for a number that is said elsewhere, in archives for more than 4 GB. */
const elsewhere = 0xffff_ffff

/**
 * What the directory at the end of a zip says is in it, by name; undefined when there is no such end, so that something is
 * missing. Programs that take a file out of an archive may only take it out of here.
 */
export function readZipDirectory(end: Buffer): Map<string, ListedFile> | undefined {
  const at = findEnd(end)
  if (at === undefined) return undefined
  const size = end.readUInt32LE(at + 12)
  const start = size === elsewhere ? findStart(end) : at - size
  if (start === undefined || start < 0) return undefined
  const files = new Map<string, ListedFile>()
  let next = start
  while (next + 46 <= at && end.readUInt32LE(next) === fileSignature) {
    const flags = end.readUInt16LE(next + 8)
    const lengths = [end.readUInt16LE(next + 28), end.readUInt16LE(next + 30), end.readUInt16LE(next + 32)] as const
    const bytes = end.subarray(next + 46, next + 46 + lengths[0])
    const name = bytes.toString(flags & 0x800 ? 'utf8' : 'latin1')
    files.set(name, { name, checksum: end.readUInt32LE(next + 16), isEncrypted: (flags & 1) === 1 })
    next += 46 + lengths[0] + lengths[1] + lengths[2]
  }
  return files
}

function findEnd(end: Buffer): number | undefined {
  const least = Math.max(0, end.length - endBytes - mostCommentBytes)
  for (let at = end.length - endBytes; at >= least; at--) if (end.readUInt32LE(at) === endSignature) return at
  return undefined
}

/** Where the directory of a large archive begins: its own end record says how long it is. */
function findStart(end: Buffer): number | undefined {
  const at = end.lastIndexOf(Buffer.from([0x50, 0x4b, 0x06, 0x06]))
  return at === -1 || at + 48 > end.length ? undefined : at - Number(end.readBigUInt64LE(at + 40))
}
