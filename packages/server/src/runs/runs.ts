import {
  CoherexError,
  type Language,
  type LanguageStatus,
  type Page,
  type Quotas,
  type Run,
  type RunRequest,
  type RunSummary,
  type RuntimeStatus,
} from '@coherex/contract'
import { actsFor, checkQuota, recordAudit, type TeamCaller } from '../access/index.ts'
import type { Blobs, Database, EventBus } from '../base/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import { describeLanguage, versionOf } from './execute/describe-language.ts'
import { toEscalated } from './execute/escalate.ts'
import type { ExecuteDeps } from './execute/execute-run.ts'
import { prepareRun, type PreparedRun, type PrepareOptions } from './execute/prepare-run.ts'
import { LiveRun, type WorkOptions } from './live-run.ts'
import { newRun, type RunOrigin } from './new-run.ts'
import type { Allowances } from './queue/allowances.ts'
import { RunQueue, type QueueLimits } from './queue/run-queue.ts'
import { RunCheckpoints } from './record/run-checkpoints.ts'
import { RunRecorder } from './record/run-recorder.ts'
import { selectProgram, selectRequest, selectRun, selectRunFile } from './record/run-store.ts'
import { selectRuns, type RunFilters } from './record/select-runs.ts'
import { RunAnnouncer } from './run-announcer.ts'
import { hasEnded } from './run.ts'
import type { Sandboxes } from './sandboxes/sandboxes.ts'
import { followRun, replayRun, type NumberedEvent } from './watch-run.ts'

export interface RunsDeps extends ExecuteDeps {
  database: Database
  events: EventBus
  blobs: Blobs
  allowances: Allowances
  sandboxes: Sandboxes
  workspaces: Workspaces
  /** Names this server in its runs' rows, so that its successor can end what it left. */
  serverId: string
}

export interface StartOptions extends PrepareOptions, RunOrigin, WorkOptions {
  /** Recorded before its caller hears of it; without it, when it has ended or after a moment. */
  durable?: boolean
}

// what is nearly done may end by itself; longer would keep whoever stops the server waiting
const graceMs = 3000
const stopDeadlineMs = 10_000
const elsewhereDeadlineMs = 10_000
const askAgainMs = 250
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

/** Everything that executes code goes through here: HTTP, agents, tools and triggers alike. */
export class Runs {
  readonly #deps: RunsDeps
  readonly #queue: RunQueue
  readonly #checkpoints: RunCheckpoints
  readonly #recorder: RunRecorder
  readonly #announcer: RunAnnouncer
  readonly #held = new Map<string, LiveRun>()
  readonly #unsubscribe: () => void

  constructor(deps: RunsDeps, limits: QueueLimits) {
    this.#deps = deps
    this.#queue = new RunQueue(limits)
    this.#checkpoints = new RunCheckpoints(deps, () => this.#held.values())
    this.#recorder = new RunRecorder({ ...deps, checkpoints: this.#checkpoints })
    this.#announcer = new RunAnnouncer(deps.events)
    // a stop may be asked for at another server process than the one that holds the run
    this.#unsubscribe = deps.events.subscribe(({ type, id, teamId }) => {
      const live = type === 'run-cancel' && id && teamId ? this.#find(teamId, id) : undefined
      live?.cancel()
      void live?.leaveQueue()
    })
  }

  /** Accepts a run: from here on it ends exactly once and is recorded, whatever happens. */
  async start(caller: TeamCaller, asked: RunRequest, options: StartOptions = {}): Promise<LiveRun> {
    // those whose ends wait keep their slots; what came now would only wait behind them
    if (this.#recorder.isBehind)
      throw new CoherexError('unavailable', 'Runs cannot be recorded right now: try again', { retryAfterSeconds: 5 })
    const prepared = await prepareRun(this.#deps, caller, { asked, options })
    const giveUpPlace = this.#queue.reserve(caller.teamId, prepared.bytes)
    let live: LiveRun
    try {
      live = await this.#accept(caller, prepared, options)
    } finally {
      giveUpPlace()
    }
    this.#held.set(live.id, live)
    live.enqueue()
    this.#checkpoints.wake()
    this.#announcer.tell(caller.teamId, live.id)
    return live
  }

  /** Records a run that its team may have. */
  async #accept(caller: TeamCaller, prepared: PreparedRun, options: StartOptions): Promise<LiveRun> {
    const { teamId } = caller
    const { quotas, usedSeconds } = await this.#deps.allowances.of(teamId)
    if (quotas.runsAtOnce === 0) checkQuota(quotas, 'runsAtOnce', 0)
    checkQuota(quotas, 'runSecondsPerDay', usedSeconds)

    const run = newRun(caller, prepared, options)
    const { request, stored, recorded: program } = prepared
    // the cells of a sandbox refer to their runs
    const durable = (options.durable ?? true) || request.sandboxId !== undefined
    const recorded = await this.#recorder.begin({ run, request: stored, program, caller, durable })
    const tell = () => this.#announcer.tell(teamId, run.id)
    return new LiveRun(this.#deps, run, {
      recorded,
      prepared,
      options,
      actsFor: actsFor(caller),
      queue: this.#queue,
      teamSlots: quotas.runsAtOnce,
      onTurn: tell,
      onEnd: () => {
        this.#held.delete(run.id)
        tell()
      },
    })
  }

  async get(teamId: string, id: string): Promise<Run> {
    const held = this.#find(teamId, id)
    if (held) return held.shown
    const run = await this.#deps.database.transaction({ team: teamId }, (transaction) =>
      selectRun(transaction, teamId, id),
    )
    if (!run) throw new CoherexError('not_found', 'There is no such run')
    return run
  }

  /** Gives the line that a run asked for; undefined is the end of input. */
  answerInput(teamId: string, id: string, text: string | undefined): void {
    const held = this.#find(teamId, id)
    if (!held) throw new CoherexError('not_found', 'There is no such run under way')
    held.answer(text)
  }

  /** Runs the program of an ended run again where there is more room. Its caller knows that it may have had effects. */
  async escalate(caller: TeamCaller, id: string): Promise<LiveRun> {
    const before = await this.get(caller.teamId, id)
    return this.start(caller, await toEscalated(this.#deps.database, caller.teamId, before), { movedFrom: before })
  }

  /** Runs the program of an ended run again, as it was asked for. */
  async retry(caller: TeamCaller, id: string): Promise<LiveRun> {
    const request = await selectRequest(this.#deps.database, caller.teamId, id)
    return this.start(caller, request, { retryOf: id })
  }

  /** A run that this process holds. */
  live(teamId: string, id: string): Run | undefined {
    return this.#find(teamId, id)?.run
  }

  program(teamId: string, id: string) {
    return selectProgram(this.#deps.database, teamId, id)
  }

  async list(
    teamId: string,
    query: RunFilters & { limit: number; cursor?: string | undefined },
  ): Promise<Page<RunSummary>> {
    const page = await selectRuns(this.#deps.database, teamId, query)
    const items = page.items.map((item) => {
      const live = this.live(teamId, item.id)
      return live ? { ...item, status: live.status, runtime: live.runtime, queuedMs: live.queuedMs } : item
    })
    return { ...page, items: query.status ? items.filter(({ status }) => status === query.status) : items }
  }

  /** Stops the run with everything it started, and waits until it has ended. */
  async cancel(caller: TeamCaller, id: string): Promise<Run> {
    const { teamId } = caller
    const held = this.#find(teamId, id)
    if (!held) {
      const run = await this.get(teamId, id)
      if (hasEnded(run)) return run
      return this.#cancelElsewhere(caller, run)
    }
    await this.#deps.database.transaction({ team: teamId }, (transaction) =>
      recordAudit(transaction, { teamId, actor: caller, action: 'run.cancel', target: { kind: 'run', id } }),
    )
    held.cancel()
    await held.leaveQueue()
    return held.ended
  }

  /** Asks the server process that holds the run, and waits until it has ended. */
  async #cancelElsewhere(caller: TeamCaller, { id }: Run): Promise<Run> {
    const { teamId } = caller
    const { database, events } = this.#deps
    await database.transaction({ team: teamId }, (transaction) =>
      recordAudit(transaction, { teamId, actor: caller, action: 'run.cancel', target: { kind: 'run', id } }),
    )
    const deadline = Date.now() + elsewhereDeadlineMs
    for (;;) {
      await events.publish({ teamId, type: 'run-cancel', id })
      await pause(askAgainMs)
      const run = await this.get(teamId, id)
      if (hasEnded(run)) return run
      if (Date.now() > deadline) {
        throw new CoherexError(
          'unavailable',
          `Cannot stop run "${id}": the server process that holds it does not answer`,
        )
      }
    }
  }

  /** Events after number `after`, then those to come, as fast as they are taken; `bytes` is what is held for the watcher alone. */
  async watch({
    teamId,
    id,
    after,
    signal,
  }: {
    teamId: string
    id: string
    after: number
    signal: AbortSignal
  }): Promise<{ events: AsyncIterable<NumberedEvent> | Iterable<NumberedEvent>; bytes: number }> {
    const held = this.#find(teamId, id)
    if (held) return { events: followRun(held, { after, signal }), bytes: 0 }
    const run = await this.get(teamId, id)
    return { events: replayRun(run, after), bytes: sizeOfOutput(run) }
  }

  async file(teamId: string, id: string, path: string) {
    const file = await selectRunFile(this.#deps.database, teamId, id, path)
    const body = file && (await this.#deps.blobs.read(teamId, file.hash))
    if (!file || !body) throw new CoherexError('not_found', 'There is no such file: files are kept for a day')
    return { size: file.size, body }
  }

  /** What the team uses now of what its quotas bound. */
  async usage(teamId: string): Promise<Partial<Quotas>> {
    const { usedSeconds, storedMb } = await this.#deps.allowances.of(teamId)
    return {
      runsAtOnce: this.#queue.running(teamId),
      runSecondsPerDay: Math.round(usedSeconds * 10) / 10,
      storageMb: Math.round(storedMb * 10) / 10,
      ...this.#deps.sandboxes.usage(teamId),
    }
  }

  runtimes(): RuntimeStatus[] {
    return this.#deps.router.runtimes.map((runtime) => ({
      name: runtime.name,
      ...runtime.health(),
      metrics: this.#deps.meter.read(runtime.name),
    }))
  }

  /** Whether a language runs here, on what, why not, and how to get it. */
  language(language: Language): LanguageStatus {
    return describeLanguage(this.#deps.router.runtimes, language)
  }

  languageVersion(language: Language): Promise<string | undefined> {
    return versionOf(this.#deps.router.runtimes, language)
  }

  /** Accepts nothing more, lets what runs finish for a moment, stops the rest, and records every end. */
  async close(): Promise<void> {
    this.#unsubscribe()
    this.#queue.close()
    const open = [...this.#held.values()]
    // none waits for another: the database may be away
    for (const held of open) void held.leaveQueue('The server was stopped before the run began')
    const ended = Promise.all(open.map(({ ended }) => ended))
    await Promise.race([ended, pause(graceMs)])
    for (const live of this.#held.values()) live.cancel('The server was stopped before the run ended')
    await Promise.race([ended, pause(stopDeadlineMs)])
    this.#recorder.close()
    await this.#checkpoints.close()
  }

  #find(teamId: string, id: string): LiveRun | undefined {
    const held = this.#held.get(id)
    return held?.teamId === teamId ? held : undefined
  }
}

function sizeOfOutput({ output, result }: Run): number {
  const told = output.reduce((sum, one) => sum + ('text' in one ? one.text.length : JSON.stringify(one.data).length), 0)
  return told + (result === undefined ? 0 : JSON.stringify(result).length)
}
