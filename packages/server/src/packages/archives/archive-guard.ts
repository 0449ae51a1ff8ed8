import { CoherexError } from '@coherex/contract'

export interface ArchiveLimits {
  maxFiles: number
  /** Of what is unpacked. */
  maxBytes: number
  /** Of the archive itself: what it unpacks to may be 200 times that, from 32 MB on. */
  archiveBytes?: number
}

const maxNameBytes = 255
const maxPathBytes = 1024
const maxDepth = 40
const maxRatio = 200
const freeBytes = 32_000_000

/** Decides about each file of an archive before it is written. What it refuses ends the archive. */
export class ArchiveGuard {
  readonly #limits: ArchiveLimits
  #files = 0
  #bytes = 0

  constructor(limits: ArchiveLimits) {
    this.#limits = limits
  }

  /** What has been let in so far. */
  get entered(): { files: number; bytes: number } {
    return { files: this.#files, bytes: this.#bytes }
  }

  /** The path below the directory that it is unpacked to, with nothing in it that leads elsewhere. */
  enter(path: string, bytes: number): string {
    const checked = checkPath(path)
    const { maxFiles, maxBytes, archiveBytes } = this.#limits
    this.#files++
    this.#bytes += bytes
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw refuse(`the size of "${shorten(path)}" is not a number`)
    if (this.#files > maxFiles) throw tooLarge(`it has more than ${maxFiles} files`)
    if (this.#bytes > maxBytes) throw tooLarge(`it unpacks to more than ${Math.floor(maxBytes / 1_000_000)} MB`)
    if (archiveBytes !== undefined && this.#bytes > Math.max(freeBytes, archiveBytes * maxRatio)) {
      throw refuse(`it unpacks to more than ${maxRatio} times its size`)
    }
    return checked
  }

  /** For an entry that is neither a file nor a directory. */
  refuseKind(path: string, kind: string): never {
    throw refuse(`"${shorten(path)}" is a ${kind}, and only files are unpacked`)
  }
}

function checkPath(path: string): string {
  if (Buffer.byteLength(path) > maxPathBytes) throw refuse(`the path "${shorten(path)}" is too long`)
  if (/[\0-\x1f\x7f\\]/.test(path)) throw refuse(`the path "${shorten(path)}" has a character that no path has`)
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) throw refuse(`the path "${shorten(path)}" is absolute`)
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.includes('..')) throw refuse(`the path "${shorten(path)}" leads out of the archive`)
  if (segments.length === 0) throw refuse('a file has no name')
  if (segments.length > maxDepth) throw refuse(`the path "${shorten(path)}" is too deep`)
  if (segments.some((segment) => Buffer.byteLength(segment) > maxNameBytes)) {
    throw refuse(`the path "${shorten(path)}" has a name that is too long`)
  }
  return segments.join('/')
}

/** What is wrong with an archive; whoever unpacks it says of which package. */
export class ArchiveRefused extends CoherexError {}

function refuse(why: string): ArchiveRefused {
  return new ArchiveRefused('invalid_input', why)
}

function tooLarge(why: string): ArchiveRefused {
  return new ArchiveRefused('too_large', why)
}

function shorten(path: string): string {
  const shown = path.replaceAll(/[^\x20-\x7e]/g, '?')
  return shown.length > 100 ? `${shown.slice(0, 100)}…` : shown
}
