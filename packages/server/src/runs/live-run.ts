import {
  CoherexError,
  type InputRequest,
  type OutputLine,
  type Receipt,
  type Run,
  type RunError,
  type StartedBy,
} from '@coherex/contract'
import { findActing, type ActsFor, type TeamCaller } from '../access/index.ts'
import { actFor } from '../base/index.ts'
import type { Capabilities } from '../capabilities/index.ts'
import type { Packages } from '../packages/index.ts'
import type { ProducedFile } from '../runtimes/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import { addPackages, withSet, type Added } from './add-packages.ts'
import { executeRun, internalOutcome, type Executed } from './execute/execute-run.ts'
import { bringBack } from './execute/workspace-run.ts'
import { explainRun } from './fixes/explain-run.ts'
import { cancelledInQueue, deniedInQueue } from './new-run.ts'
import type { PreparedRun } from './prepare-run.ts'
import { lendSlot } from './queue/lend-slot.ts'
import type { QueueEntry, RunQueue } from './queue/run-queue.ts'
import { recordEnd, type EndDeps } from './record/record-end.ts'
import type { RecordedRun } from './record/run-recorder.ts'
import { hasEnded } from './run.ts'
import { executeCell, type CellDeps } from './sandboxes/execute-cell.ts'
import { contextOf } from './sandboxes/sandbox.ts'

export interface LiveRunDeps extends CellDeps, EndDeps {
  workspaces: Workspaces
  packages: Packages
  /** What every run holds of rooms above this one. */
  bindMore?: BindMore
}

/** How a program is carried out, besides what was asked for. */
export interface WorkOptions {
  /** A cell of a sandbox that is run again to have its variables back. */
  isReplay?: boolean
  /** Its cell keeps the text it has: somebody may type on meanwhile. */
  keepsText?: boolean
  /** The packages of the run that is run again. */
  lockHash?: string | undefined
  /** The run that turned out to need more. */
  movedFrom?: Run
  /** What is wrong with the result of a run that succeeded, where its caller has more to ask of it: the run failed then. */
  judge?(result: unknown): Promise<RunError | undefined>
  /** What the code may hold besides what every run has, such as an agent's tools. */
  capabilities?: Capabilities
  /** What it holds of rooms above this one; what the server binds to every run unless said. */
  bindMore?: BindMore
}

/** A run whose code may call back, as those see it that it calls. */
export interface CallingRun {
  readonly id: string
  readonly caller: TeamCaller
  readonly startedBy: StartedBy | undefined
  readonly threadId: string | undefined
}

/** Capabilities of rooms above this one for a run. */
export type BindMore = (run: CallingRun) => Capabilities

/** What an accepted run was accepted with. */
export interface Acceptance {
  recorded: RecordedRun
  prepared: PreparedRun
  options: WorkOptions
  actsFor: ActsFor
  caller: TeamCaller
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
// more of a team's that wait for packages keep their slots, so that no others come after them without end
const mostPreparing = 32

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
      isCaller: options.capabilities !== undefined || !isCalled(run),
      // its turn comes when that of another one's is over
      work: () => actFor(this.personId, () => this.#work()),
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
    const { inputRequest, ...rest } = this.#run
    this.#run = rest
    // as a terminal would have it: what was asked stays, and what was typed unless it is a secret
    if (inputRequest && text !== undefined) {
      const { prompt, secret } = inputRequest
      this.print({ at: this.#sinceStart(), stream: 'stdout', text: `${prompt}${secret ? '' : text}\n` })
    }
    answer(text)
  }

  #sinceStart(): number {
    const { startedAt } = this.#run
    return startedAt === null ? 0 : Math.max(0, Date.now() - Date.parse(startedAt))
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
    const { recorded, prepared, options, queue, onTurn } = this.#acceptance
    const { request } = prepared
    const bindMore = options.bindMore ?? this.#deps.bindMore
    // one with a fixed clock holds nothing but what it was given
    const more = bindMore && !prepared.program.fixed ? bindMore(this.#calling()) : {}
    const capabilities = lendSlot(
      { ...more, ...options.capabilities },
      {
        rest: () => queue.rest(this.#entry),
        wake: () => queue.wake(this.#entry),
      },
    )
    const onBegun = () => {
      if (hasEnded(this.#run)) return
      recorded.begun()
      // a list that was fetched while its sandbox was made ready would say so until its end
      onTurn()
    }
    const added = await this.#addPackages()
    const had = 'error' in added ? {} : { program: withSet(prepared.program, added.set), lock: added.lock }
    const execution = { ...prepared, ...had, live: this, movedFrom: options.movedFrom, capabilities, onBegun }
    const { sandboxId } = request
    const executed =
      'error' in added
        ? this.#endUnbegun(added.error)
        : sandboxId === undefined
          ? await executeRun(this.#deps, execution)
          : await executeCell(this.#deps, execution, { sandboxId, isReplay: options.isReplay ?? false })
    const { files } = executed
    const notAdded = 'notAdded' in added ? added.notAdded : undefined
    const explained = await explainRun(
      this.#deps,
      { ...executed, notAdded },
      {
        teamId: this.teamId,
        request,
        output: this.#run.output,
      },
    )
    const run = await judgeRun(explained, options.judge)
    const lost = await bringBack(this.#deps, { teamId: this.teamId, request, run, files })
    if (lost !== undefined) this.print({ at: run.durationMs, stream: 'stderr', text: lost })
    return { run, files }
  }

  #calling(): CallingRun {
    const { id, startedBy, threadId } = this.#run
    return { id, caller: this.#acceptance.caller, startedBy, threadId }
  }

  /** Waits for the packages that its program needs. Its slot is another one's while that takes. */
  async #addPackages(): Promise<Added> {
    const { prepared, options, caller, queue } = this.#acceptance
    const { needed, unread, request } = prepared
    if (unread !== undefined) this.print({ at: 0, stream: 'info', text: `[Packages were not added: ${unread}]` })
    if (!needed) return {}
    this.set({ status: 'loading' })
    let isResting = false
    try {
      return await addPackages(this.#deps, {
        ...{ caller, needed, lockHash: options.lockHash, signal: this.signal },
        workspaceId: request.workspaceId,
        sandboxId: request.sandboxId,
        print: (line) => this.print({ at: 0, stream: 'info', text: `[${line}]` }),
        onWait: () => {
          if (queue.resting(this.teamId) >= mostPreparing) return
          isResting = true
          queue.rest(this.#entry, 'packages')
        },
      })
    } finally {
      if (isResting) queue.wake(this.#entry)
    }
  }

  /** The end of a run whose code did not begin. */
  #endUnbegun(error: RunError): Executed {
    const { limits, request } = this.#acceptance.prepared
    const status = error.kind === 'cancelled' ? 'cancelled' : 'failed'
    const queuedMs = Math.max(0, Date.now() - Date.parse(this.#run.createdAt))
    const run: Run = { ...this.#run, status, error, queuedMs, endedAt: new Date().toISOString() }
    return { run, files: [], limits, allow: request.network?.allow }
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

/** Whether someone who has a slot waits for it. */
function isCalled({ startedBy }: Run): boolean {
  return startedBy?.kind === 'run' || startedBy?.kind === 'agent'
}

async function judgeRun(run: Run, judge: WorkOptions['judge']): Promise<Run> {
  const error = run.status === 'succeeded' ? await judge?.(run.result ?? null) : undefined
  return error ? { ...run, status: 'failed', error } : run
}
