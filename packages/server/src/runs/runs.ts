import {
  CoherexError,
  type FixRequest,
  type Language,
  type LanguageStatus,
  type Page,
  type Quotas,
  type Receipt,
  type Run,
  type RunRequest,
  type RunSummary,
  type RuntimeStatus,
} from '@coherex/contract'
import { actsFor, checkQuota, recordAudit, seesThread, type TeamCaller } from '../access/index.ts'
import { actingPerson, type Blobs, type Database, type EventBus } from '../base/index.ts'
import type { Packages } from '../packages/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import type { Allowances } from './allowances.ts'
import { describeLanguage, versionOf } from './execute/describe-language.ts'
import { toEscalated } from './execute/escalate.ts'
import type { ExecuteDeps } from './execute/execute-run.ts'
import { applyFixToRun } from './fixes/apply-fix.ts'
import { LiveRun, type BindMore, type WorkOptions } from './live-run.ts'
import { newRun, type RunOrigin } from './new-run.ts'
import { attachRun } from './notebooks/attach-run.ts'
import { prepareRun, type PreparedRun, type PrepareOptions } from './prepare-run.ts'
import { RunQueue, type QueueLimits } from './queue/run-queue.ts'
import { RunCheckpoints } from './record/run-checkpoints.ts'
import { RunRecorder } from './record/run-recorder.ts'
import { selectProgram, selectRequest, selectRun, selectRunFile } from './record/run-store.ts'
import { selectRuns, type RunFilters } from './record/select-runs.ts'
import { toStoredRequest } from './record/write-runs.ts'
import { RunAnnouncer } from './run-announcer.ts'
import { hasEnded, toProgram } from './run.ts'
import type { Sandboxes } from './sandboxes/sandboxes.ts'
import { followRun, replayRun, type NumberedEvent } from './watch-run.ts'

export interface RunsDeps extends ExecuteDeps {
  database: Database
  events: EventBus
  blobs: Blobs
  allowances: Allowances
  sandboxes: Sandboxes
  workspaces: Workspaces
  packages: Packages
  /** What every run holds of rooms above this one. */
  bindMore?: BindMore
  /** Names this server in its runs' rows, so that its successor can end what it left. */
  serverId: string
}

/** How code ended that a browser ran. */
export type ReportedRun = Pick<Run, 'status' | 'output' | 'truncated' | 'durationMs'> &
  Partial<Pick<Run, 'result' | 'resultText' | 'error' | 'peakMemoryMb'>>

export interface StartOptions extends PrepareOptions, RunOrigin, WorkOptions {
  /** Recorded before its caller hears of it; without it, when it has ended or after a moment. */
  durable?: boolean
  /** Once it is recorded, before any of its code runs; where it throws, none does. */
  onAccepted?(runId: string): Promise<void>
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
    this.#announcer = new RunAnnouncer(deps)
    // a stop may be asked for at another server process than the one that holds the run
    this.#unsubscribe = deps.events.subscribe(({ type, id, teamId }) => {
      const live = type === 'run-cancel' && id && teamId ? this.#held.get(id) : undefined
      if (live?.teamId !== teamId) return
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
    try {
      await options.onAccepted?.(live.id)
    } catch (error) {
      live.cancel()
      live.enqueue()
      await live.leaveQueue()
      throw error
    }
    live.enqueue()
    this.#checkpoints.wake()
    this.#announcer.tell(caller.teamId, live.run)
    return live
  }

  /** Which runtime would take a run, and why. Nothing is run. */
  async route(caller: TeamCaller, asked: Omit<RunRequest, 'sandboxId'>): Promise<Receipt> {
    const { choice } = await prepareRun(this.#deps, caller, { asked, options: {} })
    if (!choice) throw new Error('a run outside a sandbox has no runtime')
    return choice.receipt
  }

  /** Records a run that its team may have. */
  async #accept(caller: TeamCaller, prepared: PreparedRun, options: StartOptions): Promise<LiveRun> {
    const { teamId } = caller
    const { quotas, usedSeconds } = await this.#deps.allowances.of(teamId)
    if (quotas.runsAtOnce === 0) checkQuota(quotas, 'runsAtOnce', 0)
    checkQuota(quotas, 'runSecondsPerDay', usedSeconds)

    const { threadId, isPrivate } = prepared
    const run = newRun(caller, prepared, { threadId, ...options, isPrivate: isPrivate || options.isPrivate })
    const { request, stored, recorded: program } = prepared
    // the cells of a sandbox refer to their runs
    const durable = (options.durable ?? true) || request.sandboxId !== undefined
    const recorded = await this.#recorder.begin({ run, request: stored, program, caller, durable })
    const { isReplay = false, keepsText = isReplay, retryOf } = options
    await attachRun(this.#deps, { teamId, runId: run.id, request, retryOf, isReplay, keepsText })
    const tell = () => this.#announcer.tell(teamId, run)
    return new LiveRun(this.#deps, run, {
      recorded,
      prepared,
      options,
      actsFor: actsFor(caller),
      caller,
      queue: this.#queue,
      teamSlots: quotas.runsAtOnce,
      onTurn: tell,
      onEnd: () => {
        this.#held.delete(run.id)
        tell()
      },
    })
  }

  /** Keeps what a browser says of code that it ran. Nothing ran here: it takes no place in the queue and no run seconds. */
  async report(
    caller: TeamCaller,
    asked: RunRequest,
    { report, ...origin }: RunOrigin & { report: ReportedRun },
  ): Promise<Run> {
    const program = toProgram(asked)
    const began = newRun(caller, { request: asked, recorded: program }, origin)
    const startedAt = new Date(Date.parse(began.createdAt) - report.durationMs).toISOString()
    const runtime = { name: 'browser' as const, reason: 'its browser ran it and reported this', passedOver: [] }
    const ended = { ...began, ...report, runtime, startedAt, endedAt: began.createdAt, reportedBy: 'client' as const }
    const request = toStoredRequest(asked)
    const recorded = await this.#recorder.begin({ run: ended, request, program, caller, durable: false })
    const kept = await recorded.end(ended, [])
    this.#announcer.tell(caller.teamId, kept)
    return kept
  }

  async get(teamId: string, id: string): Promise<Run> {
    const held = await this.#find(teamId, id)
    if (held) return held.shown
    const run = await this.#deps.database.transaction({ team: teamId }, (transaction) =>
      selectRun(transaction, teamId, id),
    )
    if (!run) throw new CoherexError('not_found', 'There is no such run')
    return run
  }

  /** Gives the line that a run asked for; undefined is the end of input. */
  async answerInput(teamId: string, id: string, text: string | undefined): Promise<void> {
    const held = await this.#find(teamId, id)
    if (!held) throw new CoherexError('not_found', 'There is no such run under way')
    held.answer(text)
  }

  /** Runs the program of an ended run again where there is more room. Its caller knows that it may have had effects. */
  async escalate(caller: TeamCaller, id: string): Promise<LiveRun> {
    const before = await this.get(caller.teamId, id)
    const request = await toEscalated(this.#deps.database, caller.teamId, before)
    return this.start(caller, request, {
      ...{ movedFrom: before, retryOf: id, threadId: before.threadId, isPrivate: before.isPrivate },
      artifact: artifactOf(before),
      lockHash: before.runtime?.lock?.hash,
    })
  }

  /** Runs the program of a failed run again with one of the fixes it carries. */
  async fix(caller: TeamCaller, id: string, fix: FixRequest): Promise<LiveRun> {
    const run = await this.get(caller.teamId, id)
    const request = await applyFixToRun(this.#deps, caller, { run, fix })
    const { threadId, isPrivate } = run
    return this.start(caller, request, {
      ...{ retryOf: id, threadId, isPrivate, artifact: artifactOf(run), keepsText: true },
    })
  }

  /** Runs the program of an ended run again, as it was asked for. */
  async retry(caller: TeamCaller, id: string): Promise<LiveRun> {
    const before = await this.get(caller.teamId, id)
    const { threadId, isPrivate, runtime } = before
    const request = await selectRequest(this.#deps.database, caller.teamId, id)
    return this.start(caller, request, {
      ...{ retryOf: id, threadId, isPrivate, artifact: artifactOf(before), lockHash: runtime?.lock?.hash },
    })
  }

  /** How far runs are that were found in the store: what this process holds of them is ahead of their rows. */
  liveOf(found: Pick<Run, 'id'>): Run | undefined {
    return this.#held.get(found.id)?.run
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
      const live = this.liveOf(item)
      return live ? { ...item, status: live.status, runtime: live.runtime, queuedMs: live.queuedMs } : item
    })
    return { ...page, items: query.status ? items.filter(({ status }) => status === query.status) : items }
  }

  /** Stops the run with everything it started, and waits until it has ended. */
  async cancel(caller: TeamCaller, id: string): Promise<Run> {
    const { teamId } = caller
    const held = await this.#find(teamId, id)
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
    const held = await this.#find(teamId, id)
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

  /** Row-level security does not reach what is in memory: a run of a thread is seen by those who see the thread. */
  async #find(teamId: string, id: string): Promise<LiveRun | undefined> {
    const held = this.#held.get(id)
    if (held?.teamId !== teamId) return undefined
    const { threadId, isPrivate } = held.run
    if (isPrivate && held.personId !== actingPerson()) return undefined
    return threadId === undefined || (await seesThread(this.#deps.database, teamId, threadId)) ? held : undefined
  }
}

function artifactOf({ artifactId, artifactVersion }: Run): RunOrigin['artifact'] {
  return artifactId === undefined || artifactVersion === undefined
    ? undefined
    : { id: artifactId, version: artifactVersion }
}

function sizeOfOutput({ output, result }: Run): number {
  const told = output.reduce((sum, one) => sum + ('text' in one ? one.text.length : JSON.stringify(one.data).length), 0)
  return told + (result === undefined ? 0 : JSON.stringify(result).length)
}
