import { StartError } from '../base/index.ts'
import type { Config } from '../config.ts'
import { openBlobsAt, type BlobPlace } from '../open-blobs.ts'

export interface MovedBlobs {
  to: BlobPlace
  moved: number
  bytes: number
  /** Were there already. */
  kept: number
  removed: number
}

interface MoveOptions {
  config: Config
  to: BlobPlace
  /** Takes away what has a copy. */
  removes: boolean
  signal: AbortSignal
  onProgress(moved: number): void
}

/**
 * Copies every blob from the disk to the object store, or back, while the server runs or not; what is there already is left.
 * So it is run before the settings change, and once more after the start with the new ones for what came meanwhile.
 */
export async function moveBlobs({ config, to, removes, signal, onProgress }: MoveOptions): Promise<MovedBlobs> {
  const [source, target] = await Promise.all([
    openBlobsAt(to === 's3' ? 'disk' : 's3', config, { graceMs: 0 }),
    openBlobsAt(to, config),
  ])
  if (removes && (config.s3 ? 's3' : 'disk') !== to)
    throw new StartError(
      `Cannot remove them: the settings still keep blobs ${to === 's3' ? 'on the disk' : 'in the object store'}`,
    )
  const result: MovedBlobs = { to, moved: 0, bytes: 0, kept: 0, removed: 0 }
  for await (const { teamId, hash, size } of source.list()) {
    signal.throwIfAborted()
    if ((await target.size(teamId, hash)) === size && (await target.has(teamId, hash))) result.kept += 1
    else {
      const content = await source.read(teamId, hash)
      if (!content) continue // removed since it was listed
      const stored = await target.put(teamId, content as AsyncIterable<Uint8Array>)
      if (stored !== hash)
        throw new StartError(`The blob ${hash} of ${teamId} is damaged where it is: nothing was removed`)
      result.moved += 1
      result.bytes += size
      onProgress(result.moved)
    }
    if (!removes) continue
    await source.remove(teamId, hash)
    result.removed += 1
  }
  return result
}
