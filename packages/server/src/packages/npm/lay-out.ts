import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CoherexError } from '@coherex/contract'
import type { Egress } from '../../egress/index.ts'
import { type ArchiveHost, ArchiveRefused, fetchArchive, UnpackThread } from '../archives/index.ts'
import { countFetched } from '../count-fetched.ts'
import type { LayOutOptions, ResolvedPackage } from '../package-source.ts'
import { linkCommands } from './link-commands.ts'
import type { UnpackedPackages } from './unpacked-packages.ts'

interface Machinery {
  egress: Egress
  hosts: readonly ArchiveHost[]
  unpacked: UnpackedPackages
}

const fetchedAtOnce = 8
const maxArchiveBytes = 500_000_000
const maxFiles = 300_000
const maxFilesOfOne = 100_000

/** Fetches packages and puts them where Node looks for them, below `node_modules`. Their scripts are not run. */
export async function layOutNodeModules(
  packages: readonly ResolvedPackage[],
  directory: string,
  { egress, hosts, unpacked, index, maxBytes, signal: callerSignal, onProgress }: LayOutOptions & Machinery,
): Promise<{ modules: string[] }> {
  // the first that fails ends all others
  const failed = new AbortController()
  const signal = AbortSignal.any([callerSignal, failed.signal])
  const thread = new UnpackThread()
  const left = { files: maxFiles, bytes: maxBytes }
  const folders = new Map<ResolvedPackage, string>()
  const fetched = countFetched(packages.length, onProgress)
  try {
    const waiting = [...packages]
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const one = next
        folders.set(one, await ensure(one))
        fetched.finish()
      }
    }
    await Promise.all(Array.from({ length: fetchedAtOnce }, () => work().catch((error: unknown) => stop(error))))
    failed.signal.throwIfAborted()
    // a package before those that stand in it
    const placed = packages
      .flatMap((one) => (one.places ?? [one.name]).map((place) => ({ one, place })))
      .toSorted((a, b) => a.place.length - b.place.length)
    for (const { one, place } of placed) await show(one, join(directory, 'node_modules', place))
    const top = placed.filter(({ place }) => !place.includes('/node_modules/'))
    await linkCommands(top, join(directory, 'node_modules'))
    await unpacked.tidy()
    return { modules: top.map(({ place }) => place).toSorted() }
  } catch (error) {
    callerSignal.throwIfAborted()
    throw failed.signal.aborted ? failed.signal.reason : error
  } finally {
    await thread.close()
  }

  function stop(error: unknown): void {
    failed.abort(error)
  }

  function ensure(one: ResolvedPackage): Promise<string> {
    return (
      unpacked
        // knowing the integrity of a package of someone's own registry does not make it yours
        .ensure(index === undefined ? one.integrity : `${index} ${one.integrity}`, async (folder, archive) => {
          const maxArchive = Math.min(maxArchiveBytes, maxBytes)
          const fetchOnce = () =>
            fetched.during(one.name, (onPiece) =>
              fetchArchive({ ...one, maxBytes: maxArchive }, archive, { egress, hosts, signal, onPiece }),
            )
          const archiveBytes = await fetchOnce().catch(async (error: unknown) => {
            const isPassing = error instanceof ArchiveRefused && error.code === 'unavailable'
            if (!isPassing || signal.aborted) throw error
            await rm(archive, { force: true })
            return fetchOnce()
          })
          const limits = { maxFiles: maxFilesOfOne, maxBytes, archiveBytes }
          await thread.run({ kind: 'tar', file: archive, directory: folder, limits }, signal)
        })
        .catch((error: unknown) => {
          throw explain(error, one)
        })
    )
  }

  async function show(one: ResolvedPackage, target: string): Promise<void> {
    const folder = folders.get(one)
    if (folder === undefined) return
    await mkdir(dirname(target), { recursive: true, mode: 0o755 })
    const limits = { maxFiles: left.files, maxBytes: left.bytes }
    try {
      const { files, bytes: shown } = await thread.run(
        { kind: 'link', file: folder, directory: target, limits },
        signal,
      )
      left.files -= files
      left.bytes -= shown
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw explain(error, one)
      throw new CoherexError(
        'too_large',
        `The packages unpack to more than ${Math.floor(maxBytes / 1_000_000)} MB or ${maxFiles} files: ask for fewer, or an admin allows more`,
      )
    }
  }
}

function explain(error: unknown, { name, version }: ResolvedPackage): unknown {
  if (error instanceof ArchiveRefused)
    return new CoherexError(error.code, `Cannot use "${name}@${version}": ${error.message}`, { cause: error })
  if ((error as NodeJS.ErrnoException).code === 'EEXIST')
    return new CoherexError(
      'invalid_input',
      `Cannot use "${name}@${version}": it stands where another package has files`,
    )
  return error
}
