import { CoherexError } from '@coherex/contract'
import { CapabilityError, createMemoryFileSpace, type FileQuota } from '../../capabilities/index.ts'
import type { Limits, Program } from '../../runtimes/index.ts'

/** What the files of a run may take. */
export function quotaOf({ diskMb, inodes }: Limits): FileQuota {
  const bytes = diskMb * 1024 * 1024
  return { maxBytes: bytes, maxFileBytes: bytes, maxFiles: inodes }
}

/** Throws when the files of a program cannot lie in one place: one where another has its folder, one too deep, too many. */
export function checkFiles({ entry, code, files }: Program, limits: Limits): void {
  if (Object.keys(files).length === 0) return
  try {
    createMemoryFileSpace({ files: { [entry]: code, ...files }, quota: quotaOf(limits) })
  } catch (error) {
    if (!(error instanceof CapabilityError)) throw error
    throw new CoherexError('invalid_input', `files: ${error.message}`, { details: [{ field: 'files' }], cause: error })
  }
}
