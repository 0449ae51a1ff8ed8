import type { Run } from '@coherex/contract'
import { findActing, type ActsFor } from '../access/index.ts'
import type { Database } from '../base/index.ts'
import type { Capabilities } from '../capabilities/index.ts'
import type { ProducedFile } from '../runtimes/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import { executeRun, internalOutcome } from './execute-run.ts'
import { lendSlot } from './lend-slot.ts'
import type { LiveRun } from './live-run.ts'
import { cancelledInQueue, deniedInQueue } from './new-run.ts'
import type { PreparedRun } from './prepare-run.ts'
import { recordEnd, type EndRooms } from './record-end.ts'
import type { QueueEntry, RunQueue } from './run-queue.ts'
import type { RecordedRun } from './run-recorder.ts'
import { executeCell, type CellRooms } from './sandboxes/execute-cell.ts'
import { contextOf } from './sandboxes/sandbox.ts'
import { bringBack } from './workspace-run.ts'

export interface AcceptedRooms extends CellRooms, EndRooms {
  database: Database
  workspaces: Workspaces
}

// a run that waited longer may be of someone who has lost their rights since; a cell always waits for those before it
const lookAgainMs = 250

/** How a program is carried out, besides what was asked for. */
export interface WorkOptions {
  /** A cell of a sandbox that is run again to have its variables back. */
  isReplay?: boolean
  /** The run that turned out to need more. */
  movedFrom?: Run
  /** What the code may hold besides what every run has, such as an agent's tools. */
  capabilities?: Capabilities
}

export interface Acceptance {
  live: LiveRun
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

/** A run from when it is accepted until it has ended: it waits for its turn, is carried out, and its end is recorded. */
export class AcceptedRun {
  readonly live: LiveRun
  readonly #rooms: AcceptedRooms
  readonly #acceptance: Acceptance
  readonly #entry: QueueEntry
  #isWaiting = true
  #isEnding = false
  #hasEnded = false

  constructor(rooms: AcceptedRooms, acceptance: Acceptance) {
    const { live, prepared, options, teamSlots } = acceptance
    const { request } = prepared
    this.#rooms = rooms
    this.#acceptance = acceptance
    this.live = live
    this.#entry = {
      teamId: live.teamId,
      personId: live.personId,
      teamSlots,
      bytes: prepared.bytes,
      ...(request.sandboxId === undefined ? {} : { lane: `${request.sandboxId} ${contextOf(request)}` }),
      isCaller: options.capabilities !== undefined,
      work: () => this.#work(),
    }
  }

  /** The run as it is, with its place in the queue while it waits there. */
  get run(): Run {
    const { live, queue } = this.#acceptance
    return this.#isWaiting ? { ...live.run, position: queue.position(this.#entry) } : live.run
  }

  /** Whether its code is under way, and nobody writes its end yet. */
  get isRunning(): boolean {
    return !this.#isEnding && this.live.run.status === 'running'
  }

  enqueue(): void {
    this.#acceptance.queue.add(this.#entry)
  }

  /** Ends it if its turn has not come. */
  async leaveQueue(why?: string): Promise<void> {
    if (!this.#acceptance.queue.remove(this.#entry)) return
    this.#isWaiting = false
    this.live.cancel(why)
    await this.#finish(cancelledInQueue(this.live.run), [])
  }

  async #work(): Promise<void> {
    const { live } = this
    this.#isWaiting = false
    this.#acceptance.onTurn()
    try {
      const lost = await this.#findLostRights()
      if (lost !== undefined) return await this.#finish(deniedInQueue(live.run, lost), [])
      const { run, files } = await this.#carryOut()
      await this.#finish(run, files)
    } catch (error) {
      // whatever it was, it is one run's end and never the server's
      this.#rooms.log.error({ error, run: live.id }, 'a run could not be carried out')
      const { status, error: told } = internalOutcome()
      await this.#finish({ ...live.run, status, error: told, endedAt: new Date().toISOString() }, [])
    }
  }

  /** What its person lost while it waited, in words. */
  async #findLostRights(): Promise<string | undefined> {
    const { createdAt, sandboxId } = this.live.run
    if (sandboxId === undefined && Date.now() - Date.parse(createdAt) < lookAgainMs) return undefined
    const now = await findActing(this.#rooms.database, this.#acceptance.actsFor)
    return 'lost' in now ? now.lost : undefined
  }

  async #carryOut(): Promise<{ run: Run; files: ProducedFile[] }> {
    const { live, recorded, prepared, options, queue } = this.#acceptance
    const { request, program, environment, limits, network } = prepared
    const { movedFrom, isReplay = false } = options
    const { sandboxId } = request
    const capabilities = lendSlot(options.capabilities ?? {}, {
      rest: () => queue.rest(this.#entry),
      wake: () => queue.wake(this.#entry),
    })
    const onBegun = () => {
      if (!this.#hasEnded) recorded.begun()
    }
    const execution = { live, request, program, environment, limits, network, movedFrom, capabilities, onBegun }
    const { run, files } =
      sandboxId === undefined
        ? await executeRun(this.#rooms, execution)
        : await executeCell(this.#rooms, execution, { sandboxId, isReplay })
    const lost = await bringBack(this.#rooms, { teamId: live.teamId, request, run, files })
    if (lost !== undefined) live.print({ at: run.durationMs, stream: 'stderr', text: lost })
    return { run, files }
  }

  async #finish(run: Run, produced: ProducedFile[]): Promise<void> {
    const { live, recorded, onEnd } = this.#acceptance
    this.#isEnding = true
    const ended = await recordEnd(this.#rooms, { live, recorded, run: live.explain(run), produced })
    this.#hasEnded = true
    onEnd()
    live.end(ended)
  }
}
