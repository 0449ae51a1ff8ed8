import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultPackagePolicy } from '@coherex/contract'
import type { Log } from '../base/index.ts'
import { AheadLocks } from './ahead-locks.ts'
import type { PackageSource, ResolvedPackage } from './package-source.ts'

export interface FetchAheadOptions {
  source: PackageSource
  /** Asked for one by one: what is resolved then is what a run that names it gets. */
  names: readonly string[]
  /** Where packages are kept. */
  directory: string
  log: Pick<Log, 'info'>
  signal: AbortSignal
}

const dayMs = 24 * 3_600_000
const megabyte = 1024 * 1024

/**
 * Fetches what is often asked for while nobody waits for it: the source keeps what it has unpacked, and a set of it is then made in a
 * moment, also where no registry answers by then. Once for each name; what failed is tried again at the next start.
 */
export async function fetchAhead({ source, names, directory, log, signal }: FetchAheadOptions): Promise<void> {
  const locks = new AheadLocks(directory)
  const done = await locks.names(source)
  for (const name of names) {
    if (done.includes(name) || signal.aborted) continue
    const missing = source.unavailable()
    if (missing !== undefined) return log.info({ missing }, 'no packages are fetched ahead')
    try {
      await locks.add(source, name, await fetchOne(source, name, { directory, signal }))
    } catch (error) {
      if (!signal.aborted) log.info({ error, name }, 'a package was not fetched ahead')
    }
  }
}

async function fetchOne(
  source: PackageSource,
  name: string,
  { directory, signal }: Pick<FetchAheadOptions, 'directory' | 'signal'>,
): Promise<ResolvedPackage[]> {
  const before = new Date(Date.now() - defaultPackagePolicy.minimumAgeDays * dayMs)
  const packages = await source.resolve([name], { before, allowBuilds: false }, signal)
  const place = join(directory, 'making', randomUUID())
  await mkdir(place, { recursive: true, mode: 0o755 })
  try {
    const maxBytes = defaultPackagePolicy.maxMb * megabyte
    await source.layOut(packages, place, { maxBytes, allowBuilds: false, signal, onProgress() {} })
    return packages
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
