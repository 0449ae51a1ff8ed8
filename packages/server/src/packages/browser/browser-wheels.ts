import { randomUUID } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { CoherexError, type BrowserWheel, type BrowserWheels as Found } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import { refusalOf } from '../check-policy.ts'
import type { PackageSource, ResolvedPackage } from '../package-source.ts'
import { pythonPackageOf } from '../pypi/module-packages.ts'
import { parseRequirements } from '../requirement.ts'
import { SharedWork } from '../shared-work.ts'
import type { TeamPolicies } from '../team-policies.ts'

/** A source whose Python is the one of browsers. */
export type BrowserSource = PackageSource & Required<Pick<PackageSource, 'fetch'>>

const mostBytes = 500_000_000
const largestWheel = 50_000_000
const dayMs = 24 * 3_600_000
const mostRemembered = 500
const fits = /-none-any\.whl$|-pyemscripten_2026_0_wasm32\.whl$/

/** Wheels for the Python of browsers: resolved by the team's rules, checked, and kept on disk within a bound. */
export class BrowserWheels {
  readonly #source: BrowserSource | undefined
  readonly #policies: TeamPolicies
  readonly #directory: string
  readonly #known = new Map<string, { at: number; wheels: BrowserWheel[] }>()
  readonly #work = new SharedWork<BrowserWheel[]>()

  constructor(source: BrowserSource | undefined, policies: TeamPolicies, directory: string) {
    this.#source = source
    this.#policies = policies
    this.#directory = directory
  }

  /** Wheels of all that the modules need. One that cannot be had does not keep the others away. */
  async find(caller: TeamCaller, modules: readonly string[], signal: AbortSignal): Promise<Found> {
    const found = new Map<string, BrowserWheel>()
    const missing: Found['missing'] = []
    for (const module of new Set(modules)) {
      try {
        for (const wheel of await this.#wheelsOf(caller, module, signal)) found.set(wheel.hash, wheel)
      } catch (error) {
        if (!(error instanceof CoherexError)) throw error
        missing.push({ module, why: explain(module, error) })
      }
    }
    return { wheels: [...found.values()], missing }
  }

  /** The wheel of a hash; it is there once it was found. */
  async open(hash: string): Promise<ReadStream> {
    const file = join(this.#directory, `${hash}.whl`)
    const now = new Date()
    await utimes(file, now, now).catch(() => {
      throw new CoherexError('not_found', 'This wheel is not kept any more: ask for its module again')
    })
    return createReadStream(file)
  }

  async #wheelsOf(caller: TeamCaller, module: string, signal: AbortSignal): Promise<BrowserWheel[]> {
    const source = this.#source
    if (!source) throw new CoherexError('unavailable', 'This server has no index of Python packages')
    const name = pythonPackageOf(module) ?? module
    const policy = await this.#policies.of(caller.teamId)
    const refused = refusalOf(policy, 'python', parseRequirements('python', [name]))
    if (refused !== undefined) throw new CoherexError('forbidden', refused)
    const unavailable = source.unavailable()
    if (unavailable !== undefined) throw new CoherexError('unavailable', unavailable)
    const key = JSON.stringify([name, policy.minimumAgeDays])
    const known = this.#known.get(key)
    if (known && Date.now() - known.at < dayMs && (await this.#has(known.wheels))) return known.wheels
    return this.#work.join(key, { teamId: caller.teamId, signal }, async (working) => {
      const before = policy.minimumAgeDays > 0 && { before: new Date(Date.now() - policy.minimumAgeDays * dayMs) }
      const packages = await source.resolve([name], { ...before, allowBuilds: false }, working)
      const wheels: BrowserWheel[] = []
      for (const one of packages) wheels.push(await this.#keep(source, one, working))
      const [oldest] = this.#known.keys()
      if (this.#known.size >= mostRemembered && oldest !== undefined) this.#known.delete(oldest)
      this.#known.set(key, { at: Date.now(), wheels })
      await this.#tidy()
      return wheels
    })
  }

  async #keep(source: BrowserSource, one: ResolvedPackage, signal: AbortSignal): Promise<BrowserWheel> {
    const file = decodeURIComponent(new URL(one.url).pathname.split('/').at(-1) ?? '')
    if (!fits.test(file)) throw noWheel(one.name)
    const hash = Buffer.from(one.integrity.replace(/^sha256-/, ''), 'base64').toString('hex')
    const kept = join(this.#directory, `${hash}.whl`)
    const there = await stat(kept).catch(() => undefined)
    if (there) return { name: one.name, version: one.version, file, hash, size: there.size }
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const coming = join(this.#directory, `.${randomUUID()}`)
    try {
      const size = await source.fetch(one, coming, { maxBytes: largestWheel, signal })
      await rename(coming, kept)
      return { name: one.name, version: one.version, file, hash, size }
    } finally {
      await rm(coming, { force: true })
    }
  }

  async #has(wheels: readonly BrowserWheel[]): Promise<boolean> {
    const files = await Promise.all(
      wheels.map(({ hash }) => stat(join(this.#directory, `${hash}.whl`)).catch(() => undefined)),
    )
    return files.every((file) => file !== undefined)
  }

  /** Those that were used longest ago go. */
  async #tidy(): Promise<void> {
    const names = (await readdir(this.#directory).catch(() => [])).filter((name) => name.endsWith('.whl'))
    const files = await Promise.all(
      names.map(async (name) => ({ name, ...(await stat(join(this.#directory, name)).then(pick, () => gone)) })),
    )
    let bytes = files.reduce((sum, { size }) => sum + size, 0)
    for (const { name, size } of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= mostBytes) return
      await rm(join(this.#directory, name), { force: true })
      bytes -= size
    }
  }
}

const gone = { size: 0, usedAt: 0 }
const pick = ({ size, mtimeMs }: { size: number; mtimeMs: number }) => ({ size, usedAt: mtimeMs })

function noWheel(name: string): CoherexError {
  return new CoherexError('invalid_input', `${name} has no wheel for Python in the browser`)
}

function explain(module: string, { message }: CoherexError): string {
  const without = /([\w.-]+)[^:]*? has no wheel/.exec(message)?.[1]
  if (without === undefined) return `The browser’s Python has no package "${module}": ${message}.`
  const needed = without === module ? '' : `, which "${module}" needs,`
  return `The browser’s Python has no package "${module}": "${without}"${needed} has no wheel for the browser. The server has it, or can install it.`
}
