import { availableParallelism, totalmem } from 'node:os'
import type { RunError } from '@coherex/contract'
import { methodsOf } from '../answer-call.ts'
import type { Launcher } from '../launch/index.ts'
import { allowedPackage } from '../packages/allow-list.ts'
import type { BundleStore } from '../packages/bundle-store.ts'
import type { SetBundles } from '../packages/set-bundles.ts'
import { toWire } from '../protocol/index.ts'
import type { Availability, Outcome, Program, RunOptions, Runtime } from '../runtime.ts'
import { type App, buildApp } from './build-app.ts'
import { ChildPool } from './child-pool.ts'
import { IsolateChild } from './isolate-child.ts'
import type { IsolateStart } from './messages.ts'
import { readNeeds, type Needs } from './refuse-program.ts'
import { runInChild } from './run-in-child.ts'
import type { TypeChecker } from './typecheck/check-types.ts'

export interface IsolateOptions {
  launcher: Launcher
  /** Kept between starts: bundles of what runs in the sandbox. Sandbox users must be able to reach it. */
  cacheDir: string
  bundles: BundleStore
  /** Of packages beyond those that are built in; left out, programs with a set need a process. */
  setBundles?: SetBundles
  types: TypeChecker
  spares?: number
  /** Runs that may be under way at once: there can be a child for each, or sleeping runs would keep them from all others. */
  runsAtOnce?: number
  /** As many as a part of the machine's memory holds, where it is not said. */
  maxChildren?: number
  maxRunsPerChild?: number
  idleMs?: number
  maxMemoryMb?: number
}

// an idle child with the code of a few programs, measured; each is let go when its domain has been quiet for a while
const childMb = 32
const mostChildren = 200

/** Larger results belong into files. */
const maxResultBytes = 4 * 1024 * 1024

/** JavaScript and TypeScript in V8 isolates: a fresh one for each run, inside a sandboxed process per trust domain. */
export class IsolateRuntime implements Runtime {
  readonly name = 'isolate'
  readonly #options: IsolateOptions
  readonly #bundles: BundleStore
  readonly #pool: ChildPool
  readonly #needs = new WeakMap<Program, Needs>()
  #app: Promise<App> | undefined

  constructor(options: IsolateOptions) {
    this.#options = options
    const { launcher, maxMemoryMb = 2048 } = options
    this.#bundles = options.bundles
    this.#pool = new ChildPool({
      launch: async () => {
        const app = await this.#prepare()
        try {
          return await IsolateChild.launch({ launcher, app, bundles: this.#bundles.directory, maxMemoryMb })
        } catch (error) {
          // what it was made from may be gone: a cache can be deleted at any time
          this.#app = undefined
          throw error
        }
      },
      spares: options.spares ?? 2,
      maxChildren: options.maxChildren ?? Math.max(options.runsAtOnce ?? 12, childrenByMemory()),
      widthPerDomain: availableParallelism(),
      maxRuns: options.maxRunsPerChild ?? 2000,
      idleMs: options.idleMs ?? 30_000,
    })
  }

  health(): Availability {
    const reason = this.#options.launcher.unavailable()
    if (reason) return { available: false, reason }
    if (this.#pool.lastFailure) return { available: false, reason: this.#pool.lastFailure }
    const weakness = this.#options.launcher.weakness()
    return weakness ? { available: true, reason: weakness } : { available: true }
  }

  refuses(program: Program): string | undefined {
    const { refusal, ofSet } = this.#needsOf(program)
    if (refusal !== undefined || !program.set || ofSet.length === 0) return refusal
    if (!this.#options.setBundles) return 'it has no packages beside those that are built in'
    return this.#options.setBundles.refuses(program.set, ofSet)
  }

  async warm(): Promise<void> {
    if (this.#options.launcher.unavailable()) return
    await this.#prepare()
    await this.#pool.topUp()
  }

  async run(program: Program, options: RunOptions): Promise<Outcome> {
    const { packages, ofSet } = this.#needsOf(program)
    if (packages.length > 0 || ofSet.length > 0) await this.#prepare()
    if (program.typecheck) {
      const error = await this.#options.types.check(program, packages, options)
      if (error) return endedEarly(error)
    }
    const bundles = packages.length > 0 ? await this.#bundles.ensure(packages) : {}
    if (program.set && ofSet.length > 0)
      Object.assign(bundles, await this.#options.setBundles?.ensure(program.set, ofSet))
    let child: IsolateChild
    try {
      child = await this.#pool.acquire(options.domain, options.signal, program.kept?.key)
    } catch (error) {
      if (options.signal.aborted) return endedEarly({ kind: 'cancelled', message: 'The run was cancelled' })
      throw error
    }
    const { isWarm } = child
    child.lastKey = program.kept?.key
    let isReusable = false
    try {
      const ended = await runInChild(child, toStart(program, options, bundles), withoutEntry(program), options)
      isReusable = ended.isReusable
      return isWarm ? { ...ended.outcome, warm: true } : ended.outcome
    } finally {
      this.#pool.release(child, isReusable)
    }
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }

  /** Asked for several times on a program's way here, and read from its text once. */
  #needsOf(program: Program): Needs {
    const known = this.#needs.get(program)
    if (known) return known
    const needs = readNeeds(program, (specifier) => allowedPackage(specifier) !== undefined)
    this.#needs.set(program, needs)
    return needs
  }

  #prepare(): Promise<App> {
    this.#app ??= this.#bundles
      .open()
      .then(() => buildApp(this.#options.cacheDir, this.#options.launcher))
      .catch((error: unknown) => {
        this.#app = undefined
        throw error
      })
    return this.#app
  }
}

function toStart(
  program: Program,
  { limits, capabilities, keep }: RunOptions,
  bundles: Record<string, string>,
): IsolateStart {
  return {
    language: program.language === 'typescript' ? 'typescript' : 'javascript',
    code: program.code,
    entry: program.entry,
    ...(program.input !== undefined && { input: toWire(program.input) }),
    ...(program.stdin !== undefined && { stdin: program.stdin }),
    env: program.env,
    packages: [],
    readOnly: program.readOnly,
    capabilities: methodsOf(capabilities),
    outputBytes: limits.outputBytes,
    ...(keep && { keep }),
    filesOut: { maxBytes: limits.diskMb * 1024 * 1024, maxFiles: limits.inodes },
    memoryMb: Math.max(8, limits.memoryMb),
    scratch: { bytes: limits.diskMb * 1024 * 1024, entries: limits.inodes },
    resultBytes: maxResultBytes,
    bundles,
    ...(program.fixed && { fixed: program.fixed }),
    ...(program.kept && { kept: program.kept }),
  }
}

/** A child that lives on is one that needs not be started when its domain comes back: an eighth of the memory is for that. */
function childrenByMemory(): number {
  return Math.min(mostChildren, Math.floor(totalmem() / 8 / (childMb * 1024 * 1024)))
}

function withoutEntry(program: Program): Program['files'] {
  const { [program.entry]: _, ...others } = program.files
  return others
}

function endedEarly(error: RunError): Outcome {
  return {
    status: error.kind === 'cancelled' ? 'cancelled' : 'failed',
    error,
    files: [],
    truncated: false,
    durationMs: 0,
    peakMemoryMb: null,
    signs: [],
  }
}
