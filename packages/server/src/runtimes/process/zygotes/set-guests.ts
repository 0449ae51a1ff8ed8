import { readCpuMs } from '../../launch/index.ts'
import { setsInside } from '../../package-set.ts'
import type { Program } from '../../runtime.ts'
import { type ReadySandbox, untilReady } from '../pools/ready-sandbox.ts'
import { WarmPool } from '../pools/warm-pool.ts'
import { sendFiles } from '../send-files.ts'
import { importedModules } from './imported-modules.ts'

export interface SetGuestsOptions {
  /** A guest that waits for its program and has loaded nothing of it. */
  fork(program: Program): Promise<ReadySandbox>
  availableMb(): number
  onFailure(error: unknown): void
  tuning?: { lookMs?: number; idleMs?: number }
}

interface Entry {
  /** One that used it; what the others have of it is the same. */
  program: Program
  /** What programs import of the set, by dotted name. */
  modules: Set<string>
  lastUsedAt: number
  pool: WarmPool | undefined
  size: number
  /** Guests that wait, with the CPU time they had used when they began to. */
  waiting: Map<ReadySandbox, number>
  /** It cannot be loaded before its program is there. */
  isRefused: boolean
}

const usualLookMs = 5_000
const usualIdleMs = 10 * 60_000
const maxModules = 32
const maxEntries = 256
const maxSize = 3
// what must be left of the machine's memory, and what all guests that wait may hold
const sparedMb = 512
const heldMb = 1024
// of files beside the entry that are looked at, while others wait
const mostText = 500_000
// a guest that waits has nothing to do
const restlessMs = 300

/**
 * Guests that have loaded the packages of a set, or the module of a kept program, before their program is there. That code is a guest's:
 * it runs in a guest alone, of one trust domain, which serves one program, and never in what guests of others are forked from. It is loaded
 * ahead from its second use on, until nobody has used it for a while or memory is short.
 */
export class SetGuests {
  readonly #options: SetGuestsOptions
  /** By domain and folder, the one used last at the end. */
  readonly #entries = new Map<string, Entry>()
  readonly #leaving = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #hits = 0
  #isClosed = false

  constructor(options: SetGuestsOptions) {
    this.#options = options
  }

  /** `refused` sets cannot be loaded before their program is there. */
  get stats(): { ready: number; hits: number; refused: number } {
    const entries = [...this.#entries.values()]
    const ready = entries.reduce((sum, { pool }) => sum + (pool?.stats.ready ?? 0), 0)
    return { ready, hits: this.#hits, refused: entries.filter(({ isRefused }) => isRefused).length }
  }

  /** A guest that has loaded the program's module, or what it imports of its set; undefined when none waits. */
  async take(program: Program, domain: string, signal: AbortSignal): Promise<ReadySandbox | undefined> {
    const { set } = program
    if (this.#isClosed || !canLoadAhead(program)) return undefined
    const modules = set ? importedBy(program).filter((name) => set.modules.includes(firstOf(name))) : []
    if (modules.length === 0 && !moduleOf(program)) return undefined
    const entry = this.#use(program, domain, modules)
    if (!entry?.pool) return undefined
    if (entry.pool.stats.ready === 0) {
      // more than one at a time use it
      if (entry.size < maxSize && this.#hasRoom()) entry.pool.resize(++entry.size)
      return undefined
    }
    const sandbox = await entry.pool.take(signal)
    entry.waiting.delete(sandbox)
    this.#hits++
    return sandbox
  }

  refill(): void {
    for (const { pool } of this.#entries.values()) pool?.refill()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const entry of this.#entries.values()) this.#letGo(entry)
    this.#entries.clear()
    await Promise.all(this.#leaving)
  }

  /** Notes a use; from the second one on guests are made ahead. */
  #use(program: Program, domain: string, modules: string[]): Entry | undefined {
    const key = [domain, program.set?.folder ?? '', moduleOf(program) ? program.kept?.key : ''].join('\0')
    const known = this.#entries.get(key)
    this.#entries.delete(key)
    const entry = known ?? {
      ...{ program, modules: new Set<string>(), lastUsedAt: 0, pool: undefined, size: 1 },
      ...{ waiting: new Map<ReadySandbox, number>(), isRefused: false },
    }
    this.#entries.set(key, entry)
    entry.lastUsedAt = Date.now()
    for (const name of modules) if (entry.modules.size < maxModules) entry.modules.add(name)
    for (const [oldest, one] of this.#entries) {
      if (this.#entries.size <= maxEntries) break
      this.#letGo(one)
      this.#entries.delete(oldest)
    }
    if (known && !entry.pool && !entry.isRefused && this.#hasRoom()) this.#open(entry)
    return entry
  }

  #open(entry: Entry): void {
    this.#timer ??= setInterval(() => this.#look(), this.#options.tuning?.lookMs ?? usualLookMs).unref()
    entry.pool = new WarmPool({
      size: entry.size,
      start: () => this.#load(entry),
      onFailure: (error) => {
        entry.isRefused = true
        this.#letGo(entry)
        this.#options.onFailure(error)
      },
    })
    entry.pool.refill()
  }

  async #load(entry: Entry): Promise<ReadySandbox> {
    const { program, modules } = entry
    const { set } = program
    const module = moduleOf(program)
    const { launched, connection } = await this.#options.fork(program)
    if (module) sendFiles(connection, program)
    connection.send({
      type: 'load',
      ...(set && { set: { language: set.language, path: `${setsInside}/${set.folder}`, modules: set.modules } }),
      modules: [...modules],
      ...(module && { module }),
    })
    const sandbox: ReadySandbox = { ...(await untilReady(launched, connection)), ...(module && { hasModule: true }) }
    entry.waiting.set(sandbox, readCpuMs(launched.pid))
    void launched.ended.then(() => entry.waiting.delete(sandbox))
    return sandbox
  }

  #hasRoom(): boolean {
    return this.#options.availableMb() > sparedMb && this.#heldMb() < heldMb
  }

  #heldMb(): number {
    const waiting = [...this.#entries.values()].flatMap((entry) => [...entry.waiting.keys()])
    return waiting.reduce((sum, { launched }) => sum + (launched.memory()?.current ?? 0), 0) / 1024 / 1024
  }

  #look(): void {
    const { idleMs = usualIdleMs } = this.#options.tuning ?? {}
    for (const [key, entry] of this.#entries) {
      if (Date.now() - entry.lastUsedAt > idleMs) {
        this.#letGo(entry)
        this.#entries.delete(key)
      } else if (isRestless(entry)) {
        entry.isRefused = true
        this.#letGo(entry)
      }
    }
    const kept = [...this.#entries.values()].filter(({ pool }) => pool)
    // the least used goes first
    while (kept.length > 0 && (this.#options.availableMb() < sparedMb / 2 || this.#heldMb() > heldMb)) {
      const entry = kept.shift()
      if (entry) this.#letGo(entry)
    }
  }

  #letGo(entry: Entry): void {
    const { pool } = entry
    if (!pool) return
    entry.pool = undefined
    entry.size = 1
    entry.waiting.clear()
    const leaving = pool.close()
    this.#leaving.add(leaving)
    void leaving.finally(() => this.#leaving.delete(leaving))
  }
}

/** By its entry and by files beside it: the entry of a tool or a workspace may only call these. */
function importedBy({ code, files }: Program): string[] {
  const found = new Set(importedModules(code))
  let left = mostText
  for (const [path, text] of Object.entries(files)) {
    if (!path.endsWith('.py') || typeof text !== 'string' || text.length > left) continue
    left -= text.length
    for (const name of importedModules(text)) found.add(name)
  }
  return [...found]
}

/** What is loaded ahead of a kept program; one that may not write must not have done so before. */
function moduleOf({ kept, readOnly }: Program): string | undefined {
  return kept?.fresh || readOnly ? undefined : kept?.module
}

/** Whether a program cannot tell that its packages were loaded before it came: they may read any setting, and it may have any file. */
function canLoadAhead({ language, env, files, set }: Program): boolean {
  const own = Object.keys(files).map((path) => path.split('/')[0]?.replace(/\.\w+$/, '') ?? '')
  return (
    language === 'python' &&
    (set === undefined || set.language === 'python') &&
    Object.keys(env).length === 0 &&
    !own.some((name) => set?.modules.includes(name))
  )
}

/** Whether one that waits computes, or has started others. */
function isRestless({ waiting }: Entry): boolean {
  return [...waiting].some(
    ([{ launched }, before]) => readCpuMs(launched.pid) - before > restlessMs || (launched.processes() ?? 0) > 0,
  )
}

const firstOf = (name: string) => name.split('.')[0] ?? ''
