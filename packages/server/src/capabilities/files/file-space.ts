import { CapabilityError } from '../capability.ts'

/** Files that FILES and BASH work on: a scratch space in memory, or a workspace. Proven by file-space.contract.ts. */
export interface FileSpace {
  readonly kind: 'scratch' | 'workspace'
  readonly quota: FileQuota
  readonly readOnly: boolean
  /** The bytes are the caller's own: changing them changes no file. */
  read(path: string): Promise<Uint8Array>
  /** Makes missing parents; replaces a file. */
  write(path: string, bytes: Uint8Array): Promise<void>
  append(path: string, bytes: Uint8Array): Promise<void>
  delete(path: string): Promise<void>
  stat(path: string): Promise<FileStat>
  exists(path: string): Promise<boolean>
  mkdir(path: string, options?: { recursive?: boolean }): Promise<void>
  readdir(path: string): Promise<DirectoryEntry[]>
  rmdir(path: string, options?: { recursive?: boolean }): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Every file below a path, sorted. */
  list(path: string): Promise<{ path: string; size: number }[]>
}

export interface FileQuota {
  maxBytes: number
  maxFileBytes: number
  /** Files and directories together, as inodes are counted. */
  maxFiles: number
}

export interface FileStat {
  path: string
  type: 'file' | 'directory'
  size: number
  modifiedAt: string
}

export interface DirectoryEntry {
  name: string
  type: 'file' | 'directory'
  size: number
}

const meanings = {
  ENOENT: 'no such file or directory',
  EEXIST: 'file already exists',
  ENOTDIR: 'not a directory',
  EISDIR: 'illegal operation on a directory',
  ENOTEMPTY: 'directory not empty',
  EINVAL: 'invalid argument',
  EBUSY: 'the root cannot be changed',
  ENAMETOOLONG: 'name too long',
  EILSEQ: 'not valid UTF-8 text',
  EROFS: 'read-only files',
  EFBIG: 'file too large',
  ENOSPC: 'no space left',
} as const

export type FileErrorCode = keyof typeof meanings

/** Spelled as the system spells it, so that node:fs, Python and shell commands know it. */
export function fileError(code: FileErrorCode, path: string): CapabilityError {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path
  return new CapabilityError(code, `${code}: ${meanings[code]}, ${JSON.stringify(shown)}`)
}
