import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultPackagePolicy, type PackagePolicy } from '@coherex/contract'
import { z } from 'zod'
import type { PackageSource, ResolvedPackage } from './package-source.ts'
import type { Requirement } from './requirement.ts'
import { isWithin } from './version-range.ts'

const lock = z.object({
  resolvedAt: z.number(),
  packages: z.array(
    z.object({
      ...{ name: z.string(), version: z.string(), integrity: z.string(), url: z.string() },
      size: z.number().nullable(),
      dependencies: z.array(z.string()).optional(),
    }),
  ),
})
const remembered = z.object({ platform: z.string(), locks: z.record(z.string(), lock) })
const dayMs = 24 * 3_600_000

/** What the names that are fetched ahead were resolved to: whoever asks for one of them needs no registry. */
export class AheadLocks {
  readonly #file: string

  constructor(directory: string) {
    this.#file = join(directory, 'fetched-ahead.json')
  }

  async names({ platform = '' }: Pick<PackageSource, 'platform'>): Promise<string[]> {
    return Object.keys(await this.#read(platform))
  }

  async add({ platform = '' }: Pick<PackageSource, 'platform'>, name: string, packages: ResolvedPackage[]) {
    const locks = { ...(await this.#read(platform)), [name]: { resolvedAt: Date.now(), packages } }
    await writeFile(this.#file, JSON.stringify({ platform, locks }))
  }

  /** The packages of one requirement, where they fit it and are as old as the rules of the team say. */
  async find(
    { platform = '', language }: Pick<PackageSource, 'platform' | 'language'>,
    asked: Requirement,
    { minimumAgeDays }: Pick<PackagePolicy, 'minimumAgeDays'>,
  ): Promise<ResolvedPackage[] | undefined> {
    if (asked.text !== `${asked.name}${asked.range}`) return undefined
    const locks = await this.#read(platform)
    const found = Object.hasOwn(locks, asked.name) ? locks[asked.name] : undefined
    const version = found?.packages.find(({ name }) => name === asked.name)?.version
    if (!found || version === undefined || !isWithin(language, version, asked.range)) return undefined
    // releases were this old when they were resolved, and are older now
    const ageDays = defaultPackagePolicy.minimumAgeDays + (Date.now() - found.resolvedAt) / dayMs
    return ageDays >= minimumAgeDays
      ? found.packages.map(({ dependencies, ...one }) => ({ ...one, ...(dependencies && { dependencies }) }))
      : undefined
  }

  /** None where another Python has been chosen since. */
  async #read(platform: string): Promise<z.infer<typeof remembered>['locks']> {
    const text = await readFile(this.#file, 'utf8').catch(() => '{}')
    try {
      const read = remembered.safeParse(JSON.parse(text))
      return read.data?.platform === platform ? read.data.locks : {}
    } catch {
      return {} // cut short
    }
  }
}
