import { setTimeout } from 'node:timers/promises'
import { CoherexError, type ErrorCode } from '@coherex/contract'
import type { SyncOptions } from './sync-folder.ts'

const stopsAll = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'])
const stopCodes = new Set<ErrorCode>(['unavailable', 'unauthenticated', 'forbidden'])
const patience = 10

/** One file that cannot be synced does not keep the others back; a line that is down or a full disk does. */
export async function attempt({ onDone }: SyncOptions, path: string, work: () => Promise<void>): Promise<void> {
  try {
    await patiently(work)
  } catch (error) {
    if (!(error instanceof Error) || !isOfOneFile(error)) throw error
    onDone({ did: 'failed', path, note: error.message })
  }
}

/** Comes again when there were too many requests a second: the server says when. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof CoherexError) || !error.retryAfterSeconds || count >= patience) throw error
      await setTimeout(error.retryAfterSeconds * 1000)
    }
  }
}

export function isOfOneFile(error: Error): boolean {
  if (error instanceof CoherexError) return !stopCodes.has(error.code)
  return 'syscall' in error && !stopsAll.has((error as NodeJS.ErrnoException).code ?? '')
}
