import { encodeArguments, readAnswer, type Calls } from '../capabilities.ts'
import { type CapabilityError, placeError } from '../errors.ts'
import type { Host, Start } from '../host.ts'

/** The methods of the FILES capability, waited for or not. */
export interface FileOperations {
  now(method: string, ...args: unknown[]): unknown
  later(method: string, ...args: unknown[]): Promise<unknown>
}

/** node:fs works on FILES where it was granted, else on the run's own scratch files in the child. */
export function createFileOperations({
  calls,
  host,
  start,
}: {
  calls: Calls
  host: Host
  start: Start
}): FileOperations {
  if (start.capabilities['FILES']) {
    return {
      now: (method, ...args) => translating(method, args, () => calls.callSync('FILES', method, args)),
      later: async (method, ...args) => {
        try {
          return await calls.call('FILES', method, args)
        } catch (error) {
          throw translate(error, method, args)
        }
      },
    }
  }
  const now = (method: string, ...args: unknown[]) =>
    translating(method, args, () => readAnswer(host.scratch(method, encodeArguments('FILES', method, args))))
  return { now, later: async (method, ...args) => now(method, ...args) }
}

function translating(method: string, args: unknown[], act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    throw translate(error, method, args)
  }
}

const syscalls: Record<string, string> = {
  read: 'open',
  write: 'open',
  append: 'open',
  delete: 'unlink',
  readdir: 'scandir',
}
const meanings: Record<string, string> = {
  ENOENT: 'no such file or directory',
  EEXIST: 'file already exists',
  ENOTDIR: 'not a directory',
  EISDIR: 'illegal operation on a directory',
  ENOTEMPTY: 'directory not empty',
  EINVAL: 'invalid argument',
  EBUSY: 'resource busy or locked',
  ENAMETOOLONG: 'name too long',
  EROFS: 'read-only file system',
  EFBIG: 'file too large',
  ENOSPC: 'no space left on device',
}

// as Linux numbers them
const numbers: Record<string, number> = {
  ...{ ENOENT: -2, EBUSY: -16, EEXIST: -17, ENOTDIR: -20, EISDIR: -21, EINVAL: -22, EFBIG: -27, ENOSPC: -28 },
  ...{ EROFS: -30, ENAMETOOLONG: -36, ENOTEMPTY: -39 },
}

/** Node's shape of a file error. */
function translate(error: unknown, method: string, args: unknown[]): unknown {
  if (!isCapabilityError(error) || !Object.hasOwn(meanings, error.code)) return error
  const syscall = syscalls[method] ?? method
  const path = String(args[0])
  const translated = new Error(`${error.code}: ${meanings[error.code]}, ${syscall} '${path}'`)
  placeError(translated, error.stack)
  return Object.assign(translated, { errno: numbers[error.code], code: error.code, syscall, path })
}

// by name: the class exists in both parts of the library
function isCapabilityError(error: unknown): error is CapabilityError {
  return error instanceof Error && error.name === 'CapabilityError'
}
