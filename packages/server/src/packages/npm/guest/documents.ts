import { Failure } from './failure.ts'
import type { Host } from './host.ts'

/** What a registry says of a package, as far as it is used here. */
export interface PackageDocument {
  name: string
  description?: string
  modified?: string
  time?: Record<string, string>
  'dist-tags'?: Record<string, string>
  versions: Record<string, PublishedVersion>
}

export interface PublishedVersion {
  name: string
  version: string
  dist: { tarball: string; integrity?: string; shasum?: string; unpackedSize?: number }
}

interface Rules {
  before?: string
  mayLackTimes: boolean
}

/** Documents of the registry without what is released too late, each asked for once. */
export class Documents {
  readonly #host: Host
  readonly #rules: Rules
  readonly #known = new Map<string, Promise<PackageDocument | undefined>>()
  /** Names with releases that were left out. */
  readonly withheld = new Set<string>()

  constructor(host: Host, rules: Rules) {
    this.#host = host
    this.#rules = rules
  }

  find(name: string): Promise<PackageDocument | undefined> {
    const known = this.#known.get(name)
    if (known) return known
    const finding = this.#find(name)
    this.#known.set(name, finding)
    return finding
  }

  whole(name: string): Promise<PackageDocument | undefined> {
    return this.#read(name, true)
  }

  async #find(name: string): Promise<PackageDocument | undefined> {
    const { before, mayLackTimes } = this.#rules
    // the short form is a tenth of the whole one, and tells when any of it was changed last
    const short = await this.#read(name, false)
    if (!short || before === undefined) return short
    const latest = Date.parse(before)
    if (!short.time && isBefore(short.modified, latest)) return withTime(short, short.modified)
    const whole = short.time ? short : await this.#read(name, true)
    if (!whole) return undefined
    if (!whole.time) {
      if (mayLackTimes) return whole
      throw new Failure(
        'untimed',
        `The registry does not tell when "${name}" was released, and only releases of a minimum age may be used`,
      )
    }
    const { time } = whole
    const all = Object.entries(whole.versions)
    const kept = all.filter(([version]) => isBefore(time[version], latest))
    if (kept.length < all.length) this.withheld.add(name)
    return { ...whole, versions: Object.fromEntries(kept) }
  }

  async #read(name: string, isWhole: boolean): Promise<PackageDocument | undefined> {
    const document = (await this.#host.document(name, isWhole)) as PackageDocument | undefined
    if (document === undefined) return undefined
    if (typeof document !== 'object' || document === null || typeof document.versions !== 'object')
      throw new Failure('lost', `The registry answers with something else than a package for "${name}"`)
    return document
  }
}

function isBefore(moment: string | undefined, latest: number): boolean {
  const at = Date.parse(moment ?? '')
  return Number.isFinite(at) && at <= latest
}

function withTime(document: PackageDocument, moment = ''): PackageDocument {
  return { ...document, time: Object.fromEntries(Object.keys(document.versions).map((version) => [version, moment])) }
}
