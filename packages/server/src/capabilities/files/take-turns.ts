import { setImmediate } from 'node:timers/promises'
import type { FileSpace } from './file-space.ts'

const largeBytes = 262_144

/**
 * Reads large files one at a time, each in a turn of its own, the next when the guest has taken the last. Fifty at once would hold
 * up the whole server for the time of fifty copies, and a guest that asks without reading would fill its memory with them.
 */
export function createTurns(space: FileSpace): (path: string, taken?: Promise<void>) => Promise<Uint8Array> {
  let last: Promise<unknown> = Promise.resolve()
  return async (path, taken) => {
    // what is wrong with the path is told when it is read
    const size = await space.stat(path).then(
      (stat) => stat.size,
      () => 0,
    )
    if (size < largeBytes) return space.read(path)
    const read = last.then(() => setImmediate()).then(() => space.read(path))
    last = read.then(
      () => taken,
      () => {},
    )
    return read
  }
}
