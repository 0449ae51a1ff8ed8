import { setTimeout as wait } from 'node:timers/promises'
import { CoherexError } from '@coherex/contract'
import type { Launcher, ZygoteSpec } from '../../launch/index.ts'
import type { Limits, Program } from '../../runtime.ts'
import { type ReadySandbox, untilReady } from '../pools/ready-sandbox.ts'
import { dataModules, isOfDataStack, wantsDataStack } from './data-imports.ts'
import { SetGuests, type SetGuestsOptions } from './set-guests.ts'
import { ZygotePool, type ZygotePoolOptions } from './zygote-pool.ts'

export interface PythonZygotesOptions {
  launcher: Launcher
  spec: Pick<ZygoteSpec, 'binds' | 'env' | 'home' | 'driver' | 'python'>
  defaults: Limits
  /** Whether a sandbox made with the defaults serves such limits. */
  fits(limits: Limits): boolean
  /** Guests forked ahead: of a bare Python, and of one with the data stack. */
  ahead: { plain: number; data: number }
  /** How long after warm() the data stack is loaded: a server has other things to do when it starts. */
  dataAfterMs?: number
  availableMb?: () => number
  tuning?: Pick<ZygotePoolOptions, 'maxForks' | 'maxAgeMs' | 'lookMs'>
  setTuning?: SetGuestsOptions['tuning']
  onFailure(error: unknown): void
}

export interface TakeOptions {
  limits: Limits
  signal: AbortSignal
  /** Whether it needs a link for a network. */
  hasLink: boolean
  domain: string
}

export interface PythonZygotes {
  /** A guest for a program of any language; undefined when it has to be served in another way. */
  take(program: Program, options: TakeOptions): Promise<ReadySandbox | undefined>
  readonly isLoaded: { plain: boolean; data: boolean }
  readonly stats: { ready: number; hits: number; misses: number }
  /** Of guests that have loaded a set. */
  readonly sets: SetGuests['stats']
  /** Why programs with the data stack start slowly here; undefined when they do not, or only for the moment. */
  slowness(): string | undefined
  /** The bare Python is ready when it resolves, the data stack as well with `data`. */
  warm(data?: boolean): Promise<void>
  refill(): void
  close(): Promise<void>
}

const plainMb = 256
const dataMb = 512

/** Two zygotes: one with the driver loaded, for any program, and one with numpy, pandas and matplotlib as well. */
export function createPythonZygotes(options: PythonZygotesOptions): PythonZygotes {
  const { launcher, spec, defaults, fits, ahead, dataAfterMs = 0, onFailure, tuning } = options
  const { availableMb = () => process.availableMemory() / 1024 / 1024 } = options
  const stop = new AbortController()
  const pool = (modules: string[], memoryMb: number, count: number) =>
    new ZygotePool({
      load: () => launcher.startZygote({ ...spec, modules, memoryMb }),
      ready: untilReady,
      ...{ ahead: count, defaults, neededMb: memoryMb, availableMb, onFailure, ...tuning },
    })
  const plain = pool([], plainMb, ahead.plain)
  const data = pool(dataModules, dataMb, ahead.data)
  const unavailable = launcher.zygotesUnavailable()
  const sets = new SetGuests({
    async fork(program) {
      const hasOwnStack = program.set?.modules.some(isOfDataStack)
      const pools = (program.set && !hasOwnStack) || wantsDataStack(program) ? [data, plain] : [plain]
      const forked = await pools.find((pool) => pool.isLoaded)?.fork(defaults)
      if (!forked) throw new Error('There is no zygote to fork')
      return forked
    },
    ...{ availableMb, onFailure },
    ...(options.setTuning && { tuning: options.setTuning }),
  })

  return {
    async take(program, { limits, signal, hasLink, domain }) {
      // a moment after the server has started; any other sandbox would take as long
      await plain.settled(signal)
      const isUsual = fits(limits) && !hasLink
      const loaded = isUsual ? await sets.take(program, domain, signal) : undefined
      if (loaded) return loaded
      for (const pool of wantsDataStack(program) ? [data, plain] : [plain]) {
        try {
          const sandbox = await (isUsual ? pool.take(signal) : pool.fork(limits, { hasLink }))
          if (sandbox) return sandbox
        } catch (error) {
          if (signal.aborted) throw error
          // a zygote that died or is on its way out: the next way is tried, and nothing of the program has run
          if (!(error instanceof CoherexError)) onFailure(error)
        }
      }
      return undefined
    },
    get isLoaded() {
      return { plain: plain.isLoaded, data: data.isLoaded }
    },
    get stats() {
      const [one, other] = [plain.stats, data.stats]
      return {
        ready: one.ready + other.ready,
        hits: one.hits + other.hits,
        misses: one.misses + other.misses,
      }
    },
    get sets() {
      return sets.stats
    },
    slowness: () => unavailable ?? data.reason,
    async warm(withData = false) {
      if (unavailable) return
      await plain.start()
      if (withData) return data.start()
      void wait(dataAfterMs, undefined, { signal: stop.signal, ref: false })
        .then(() => data.start())
        .catch(() => undefined) // closed before its time came
    },
    refill() {
      plain.refill()
      data.refill()
      sets.refill()
    },
    async close() {
      stop.abort()
      await sets.close()
      await Promise.all([plain.close(), data.close()])
    },
  }
}
