import { CoherexError } from '@coherex/contract'
import { checkQuota } from '../../access/index.ts'
import type { Log } from '../../base/index.ts'
import type { SandboxEnding } from '../../runtimes/index.ts'
import type { Allowances } from '../allowances.ts'
import { checkMachine, type MachineMemory } from './machine-memory.ts'
import type { OpenInside } from './open-inside.ts'
import { OpenSandbox } from './open-sandbox.ts'
import type { SandboxRow } from './sandbox.ts'

export interface Opening {
  row: SandboxRow
  /** Makes the sandbox itself. */
  open(): Promise<OpenInside>
  /** What comes before anyone else can use it. */
  prepare(open: OpenSandbox): Promise<void>
}

export interface AwakeOptions {
  allowances: Allowances
  machine: MachineMemory
  log: Log
  onIdle(open: OpenSandbox): void
  /** It ended although nobody closed it. */
  onEnded(open: OpenSandbox, ending: SandboxEnding): void
}

/** The sandboxes this process holds: each is opened once however many ask for it, and closed before it is opened again. */
export class AwakeSandboxes {
  readonly #options: AwakeOptions
  readonly #places = new Map<string, { teamId: string; memoryMb: number; opening: Promise<OpenSandbox> }>()
  readonly #awake = new Map<string, OpenSandbox>()
  readonly #closing = new Map<string, Promise<void>>()
  readonly #reserved = new Set<{ teamId: string; memoryMb: number }>()
  #isStopping = false

  constructor(options: AwakeOptions) {
    this.#options = options
  }

  get(id: string): OpenSandbox | undefined {
    return this.#awake.get(id)
  }

  all(): OpenSandbox[] {
    return [...this.#awake.values()]
  }

  /** The sandbox, if it is open or being opened, once it is not being closed any more. */
  async find(teamId: string, id: string): Promise<OpenSandbox | undefined> {
    await this.#closing.get(id)
    const place = this.#places.get(id)
    return place?.teamId === teamId ? place.opening : undefined
  }

  /** How many of a team are awake, and the memory they may take together; of those that came before one, if named. */
  usage(teamId: string, before?: string): { sandboxesAtOnce: number; sandboxMemoryMb: number } {
    const used = { sandboxesAtOnce: 0, sandboxMemoryMb: 0 }
    for (const [id, place] of this.#places) {
      if (id === before) break
      if (place.teamId !== teamId) continue
      used.sandboxesAtOnce++
      used.sandboxMemoryMb += place.memoryMb
    }
    for (const one of this.#reserved) if (one.teamId === teamId) used.sandboxMemoryMb += one.memoryMb
    return used
  }

  /** Counts the memory of something that is in no list, such as a language server, within the team's quotas. Answers how to give it back. */
  async reserve(teamId: string, memoryMb: number): Promise<() => void> {
    const { quotas } = await this.#options.allowances.of(teamId)
    if (this.#isStopping) throw new CoherexError('unavailable', 'The server is stopping', { retryAfterSeconds: 5 })
    checkQuota(quotas, 'sandboxMemoryMb', this.usage(teamId).sandboxMemoryMb + memoryMb - 1)
    checkMachine(this.#options.machine, this.#promisedMb(), memoryMb)
    const reserved = { teamId, memoryMb }
    this.#reserved.add(reserved)
    return () => void this.#reserved.delete(reserved)
  }

  /** Opens a sandbox within the team's quotas. Whoever else asks for it meanwhile gets the same one. */
  wake({ row, open, prepare }: Opening): Promise<OpenSandbox> {
    const { teamId, id, limits } = row
    const place = this.#places.get(id)
    if (place) return place.opening
    if (this.#isStopping) throw new CoherexError('unavailable', 'The server is stopping', { retryAfterSeconds: 5 })
    const opening = this.#openWithinQuotas({ row, open, prepare })
    this.#places.set(id, { teamId, memoryMb: limits.memoryMb, opening })
    opening.catch(() => this.#places.delete(id))
    return opening
  }

  /** Lets one have another share of the memory, within the team's quotas. Answers how to take that back. */
  async resize({ teamId, id }: SandboxRow, memoryMb: number): Promise<() => void> {
    const { quotas } = await this.#options.allowances.of(teamId)
    const place = this.#places.get(id)
    if (!place) {
      checkQuota(quotas, 'sandboxMemoryMb', memoryMb - 1)
      return () => {}
    }
    const before = place.memoryMb
    if (memoryMb > before) {
      checkQuota(quotas, 'sandboxMemoryMb', this.usage(teamId).sandboxMemoryMb + memoryMb - before - 1)
      checkMachine(this.#options.machine, this.#promisedMb() - before, memoryMb)
    }
    place.memoryMb = memoryMb
    return () => (place.memoryMb = before)
  }

  async #openWithinQuotas({ row, open, prepare }: Opening): Promise<OpenSandbox> {
    const { quotas } = await this.#options.allowances.of(row.teamId)
    const { sandboxesAtOnce, sandboxMemoryMb } = this.usage(row.teamId, row.id)
    checkQuota(quotas, 'sandboxesAtOnce', sandboxesAtOnce)
    checkQuota(quotas, 'sandboxMemoryMb', sandboxMemoryMb + row.limits.memoryMb - 1)
    checkMachine(this.#options.machine, this.#promisedMb(row.id), row.limits.memoryMb)
    const { inside, ...rest } = await open()
    const { onIdle, onEnded } = this.#options
    const opened = new OpenSandbox({ inside, row, ...rest, onIdle })
    try {
      await prepare(opened)
    } catch (error) {
      opened.stopWatching()
      await inside.close()
      throw error
    }
    this.#awake.set(row.id, opened)
    void inside.ended.then((ending) => {
      if (this.#awake.get(row.id) === opened) onEnded(opened, ending)
    })
    return opened
  }

  /** Of every team's, or of those that came before one. */
  #promisedMb(before?: string): number {
    let promised = 0
    for (const [id, place] of this.#places) {
      if (id === before) break
      promised += place.memoryMb
    }
    for (const { memoryMb } of this.#reserved) promised += memoryMb
    return promised
  }

  /** Nobody gets at it from here on; whoever comes meanwhile waits until the work is done. */
  async close(id: string, work: (open: OpenSandbox) => Promise<void>): Promise<void> {
    const open = this.#awake.get(id)
    if (!open) return this.#closing.get(id)
    this.#awake.delete(id)
    open.stopWatching()
    const closing = work(open)
      .catch((error: unknown) => this.#options.log.error({ error, sandbox: id }, 'a sandbox did not close cleanly'))
      .finally(() => {
        this.#places.delete(id)
        this.#closing.delete(id)
      })
    this.#closing.set(id, closing)
    await closing
  }

  /** Opens nothing more; answers once nothing is being opened or closed. */
  async settle(): Promise<void> {
    this.#isStopping = true
    await Promise.allSettled([...this.#places.values()].map(({ opening }) => opening))
    await Promise.all(this.#closing.values())
  }
}
