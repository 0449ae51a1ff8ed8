import { CoherexError, type InputRequest, type OutputLine, type Receipt, type Run } from '@coherex/contract'
import { findActing, type ActsFor } from '../access/index.ts'
import type { Capabilities } from '../capabilities/index.ts'
import type { ProducedFile } from '../runtimes/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import { executeRun, internalOutcome } from './execute/execute-run.ts'
import type { PreparedRun } from './execute/prepare-run.ts'
import { bringBack } from './execute/workspace-run.ts'
import { cancelledInQueue, deniedInQueue } from './new-run.ts'
import { lendSlot } from './queue/lend-slot.ts'
import type { QueueEntry, RunQueue } from './queue/run-queue.ts'
import { recordEnd, type EndDeps } from './record/record-end.ts'
import type { RecordedRun } from './record/run-recorder.ts'
import { hasEnded } from './run.ts'
import { executeCell, type CellDeps } from './sandboxes/execute-cell.ts'
import { contextOf } from './sandboxes/sandbox.ts'

export interface LiveRunDeps extends CellDeps, EndDeps {
  workspaces: Workspaces
}

/** How a program is carried out, besides what was asked for. */
export interface WorkOptions {
  /** A cell of a sandbox that is run again to have its variables back. */
  isReplay?: boolean
  /** The run that turned out to need more. */
  movedFrom?: Run
  /** What the code may hold besides what every run has, such as an agent's tools. */
  capabilities?: Capabilities
}

/** What an accepted run was accepted with. */
export interface Acceptance {
  recorded: RecordedRun
  prepared: PreparedRun
  options: WorkOptions
  actsFor: ActsFor
  queue: RunQueue
  /** Runs at once that the team's quota allows. */
  teamSlots: number
  /** Its turn has come. */
  onTurn(): void
  /** It has ended, and is about to say so. */
  onEnd(): void
}

// a run that waited longer may be of someone who has lost their rights since; a cell always waits for those before it
const lookAgainMs = 250

/**
 * A run from when it is accepted until it has ended, in the process that holds it: it waits for its turn, is carried out
 * and recorded. What it has said so far, who listens, and the switch that stops it.
 */
export class LiveRun {
  readonly teamId: string
  readonly personId: string
  readonly #deps: LiveRunDeps
  readonly #acceptance: Acceptance
  readonly #entry: QueueEntry
  readonly #abort = new AbortController()
  readonly #listeners = new Set<() => void>()
  readonly #ended = Promise.withResolvers<Run>()
  #run: Run
  #answer: ((text: string | undefined) => void) | undefined
  #whyCancelled: string | undefined
  #isWaiting = true
  #isEnding = false

  constructor(deps: LiveRunDeps, run: Run, acceptance: Acceptance) {
    const { actsFor, prepared, options, teamSlots } = acceptance
    const { request } = prepared
    this.#deps = deps
    this.#run = run
    this.#acceptance = acceptance
    this.teamId = actsFor.teamId
    this.personId = actsFor.personId
    this.#entry = {
      ...{ teamId: this.teamId, personId: this.personId, teamSlots, bytes: prepared.bytes },
      ...(request.sandboxId === undefined ? {} : { lane: `${request.sandboxId} ${contextOf(request)}` }),
      isCaller: options.capabilities !== undefined,
      work: () => this.#work(),
    }
  }

  get id(): string {
    return this.#run.id
  }

  /** Aborted when someone stops the run. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get run(): Run {
    return this.#run
  }

  /** The run as it is, with its place in the queue while it waits there. */
  get shown(): Run {
    return this.#isWaiting ? { ...this.#run, position: this.#acceptance.queue.position(this.#entry) } : this.#run
  }

  /** Whether its code is under way, and nobody writes its end yet. */
  get isRunning(): boolean {
    return !this.#isEnding && this.#run.status === 'running'
  }

  /** The run as it was recorded in the end. */
  get ended(): Promise<Run> {
    return this.#ended.promise
  }

  enqueue(): void {
    this.#acceptance.queue.add(this.#entry)
  }

  /** Ends it if its turn has not come. */
  async leaveQueue(why?: string): Promise<void> {
    if (!this.#acceptance.queue.remove(this.#entry)) return
    this.#isWaiting = false
    this.cancel(why)
    await this.#finish(cancelledInQueue(this.#run), [])
  }

  set(change: Partial<Run>): void {
    this.#run = { ...this.#run, ...change }
  }

  route(runtime: Receipt): void {
    this.set({ runtime })
  }

  print(output: OutputLine): void {
    this.#run.output.push(output)
    this.#tell()
  }

  /** Asks whoever watches for a line; undefined when there will be none. */
  ask(request: InputRequest): Promise<string | undefined> {
    if (this.signal.aborted || hasEnded(this.#run)) return Promise.resolve(undefined)
    this.set({ inputRequest: request })
    this.#tell()
    return new Promise((resolve) => (this.#answer = resolve))
  }

  /** The line that was asked for, or undefined for the end of input. */
  answer(text: string | undefined): void {
    const answer = this.#answer
    if (!answer) throw new CoherexError('conflict', `Run "${this.id}" waits for no input`)
    this.#answer = undefined
    const { inputRequest: _, ...rest } = this.#run
    this.#run = rest
    answer(text)
  }

  /** `why` is for who looks at it later and did not cancel it. */
  cancel(why?: string): void {
    this.#whyCancelled ??= why
    this.#abort.abort(new Error('cancelled'))
    if (this.#answer) this.answer(undefined)
  }

  /** Tells the end as it was recorded. */
  end({ inputRequest: _, ...run }: Run): void {
    this.#run = run
    this.#tell()
    this.#listeners.clear()
    this.#ended.resolve(run)
  }

  /** Hears that there is something new to read of the run. */
  watch(listener: () => void): () => void {
    if (!hasEnded(this.#run)) this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }

  async #work(): Promise<void> {
    this.#isWaiting = false
    this.#acceptance.onTurn()
    try {
      const lost = await this.#findLostRights()
      if (lost !== undefined) return await this.#finish(deniedInQueue(this.#run, lost), [])
      const { run, files } = await this.#carryOut()
      await this.#finish(run, files)
    } catch (error) {
      // whatever it was, it is one run's end and never the server's
      this.#deps.log.error({ error, run: this.id }, 'a run could not be carried out')
      const { status, error: told } = internalOutcome()
      await this.#finish({ ...this.#run, status, error: told, endedAt: new Date().toISOString() }, [])
    }
  }

  /** What its person lost while it waited, in words. */
  async #findLostRights(): Promise<string | undefined> {
    const { createdAt, sandboxId } = this.#run
    if (sandboxId === undefined && Date.now() - Date.parse(createdAt) < lookAgainMs) return undefined
    const now = await findActing(this.#deps.database, this.#acceptance.actsFor)
    return 'lost' in now ? now.lost : undefined
  }

  async #carryOut(): Promise<{ run: Run; files: ProducedFile[] }> {
    const { recorded, prepared, options, queue } = this.#acceptance
    const { request } = prepared
    const capabilities = lendSlot(options.capabilities ?? {}, {
      rest: () => queue.rest(this.#entry),
      wake: () => queue.wake(this.#entry),
    })
    const onBegun = () => {
      if (!hasEnded(this.#run)) recorded.begun()
    }
    const execution = { ...prepared, live: this, movedFrom: options.movedFrom, capabilities, onBegun }
    const { sandboxId } = request
    const { run, files } =
      sandboxId === undefined
        ? await executeRun(this.#deps, execution)
        : await executeCell(this.#deps, execution, { sandboxId, isReplay: options.isReplay ?? false })
    const lost = await bringBack(this.#deps, { teamId: this.teamId, request, run, files })
    if (lost !== undefined) this.print({ at: run.durationMs, stream: 'stderr', text: lost })
    return { run, files }
  }

  async #finish(run: Run, produced: ProducedFile[]): Promise<void> {
    const { recorded, onEnd } = this.#acceptance
    this.#isEnding = true
    const ended = await recordEnd(this.#deps, { live: this, recorded, produced, run: this.#explain(run) })
    onEnd()
    this.end(ended)
  }

  /** The end with the reason that was given for it. */
  #explain(run: Run): Run {
    if (run.status !== 'cancelled' || this.#whyCancelled === undefined) return run
    return { ...run, error: { kind: 'cancelled', message: this.#whyCancelled } }
  }
}
