import { setTimeout as delay } from 'node:timers/promises'
import {
  CoherexError,
  type Language,
  type LanguageStatus,
  type Page,
  type Quotas,
  type Run,
  type RunEvent,
  type RunRequest,
  type RunSummary,
  type RuntimeStatus,
  type StartedBy,
} from '@coherex/contract'
import { checkQuota, recordAudit, startedByCaller, type TeamCaller } from '../access/index.ts'
import { createId, type Blobs, type Database, type EventBus } from '../base/index.ts'
import type { Capabilities } from '../capabilities/index.ts'
import type { FixedWorld, ProducedFile } from '../runtimes/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import { toNetworkRules } from './bind-capabilities.ts'
import { checkFiles } from './check-files.ts'
import { describeLanguage, versionOf } from './describe-language.ts'
import { toEscalated } from './escalate.ts'
import { executeRun, internalOutcome, type ExecuteRooms } from './execute-run.ts'
import type { Grants } from './grants.ts'
import { lendSlot } from './lend-slot.ts'
import { eventsOf, LiveRun } from './live-run.ts'
import { RunQueue, type QueueEntry, type QueueLimits } from './run-queue.ts'
import { RunRecorder, type RecordedRun } from './run-recorder.ts'
import { selectProgram, selectRequest, selectRun, selectRunFile, selectRuns, type RunFilters } from './run-store.ts'
import { hashProgram, hasEnded, toLimits, toProgram, workspaceOf } from './run.ts'
import { checkCell, executeCell } from './sandboxes/execute-cell.ts'
import { contextOf } from './sandboxes/sandbox.ts'
import type { Sandboxes } from './sandboxes/sandboxes.ts'
import { readEnvironment, toEnv, type Environment } from './variables/environment.ts'
import { bringBack, takeWorkspace } from './workspace-run.ts'

export interface RunsRooms extends ExecuteRooms {
  database: Database
  events: EventBus
  blobs: Blobs
  grants: Grants
  sandboxes: Sandboxes
  workspaces: Workspaces
  /** Names this server in its runs' rows, so that its successor can end what it left. */
  serverId: string
}

export interface StartOptions {
  /** Recorded before its caller hears of it; without it, when it has ended or after a moment. */
  durable?: boolean
  /** A cell of a sandbox that is run again to have its variables back. */
  isReplay?: boolean
  /** The run that turned out to need more. */
  movedFrom?: Run
  /** What the code may hold besides what every run has, such as an agent's tools. */
  capabilities?: Capabilities
  /** A clock and randomness for every run of the program; such a one holds nothing but the capabilities above. */
  fixed?: FixedWorld
  /** What the code finds in its environment where that was read before, for a program that is run again. */
  environment?: Environment
  /** For code that waits more than it works. */
  cpuMs?: number
  /** What began it, such as an agent's call; the caller unless said. */
  startedBy?: StartedBy
  /** The run whose program is run again. */
  retryOf?: string
}

// what is nearly done may end by itself; longer would keep whoever stops the server waiting
const graceMs = 3000
const stopDeadlineMs = 10_000
// lists that are open refresh by these; ten a second are plenty
const announceEveryMs = 100

/** Everything that executes code goes through here: HTTP, agents, tools and triggers alike. */
export class Runs {
  readonly #rooms: RunsRooms
  readonly #queue: RunQueue
  readonly #live = new Map<string, LiveRun>()
  readonly #entries = new Map<string, QueueEntry>()
  readonly #recorded = new Map<string, RecordedRun>()
  readonly #recorder: RunRecorder
  readonly #grants: Grants
  readonly #announced = new Map<string, Set<string>>()

  constructor(rooms: RunsRooms, limits: QueueLimits) {
    this.#rooms = rooms
    this.#queue = new RunQueue(limits)
    this.#recorder = new RunRecorder(rooms)
    this.#grants = rooms.grants
  }

  /** Accepts a run: from here on it ends exactly once and is recorded, whatever happens. */
  async start(caller: TeamCaller, asked: RunRequest, options: StartOptions = {}): Promise<LiveRun> {
    const { durable = true, isReplay = false, movedFrom } = options
    const { router } = this.#rooms
    const { teamId } = caller
    const limits = { ...toLimits(asked), ...(options.cpuMs !== undefined && { cpuMs: options.cpuMs }) }
    const network = toNetworkRules(asked)
    const ours = { ...toProgram(asked), ...(options.fixed && { fixed: options.fixed }) }
    const source = { request: asked, program: ours, limits }
    const taken = await takeWorkspace(this.#rooms.workspaces, caller, source)
    const { request, recorded } = taken
    const environment =
      options.environment ??
      (await readEnvironment(this.#rooms.database, teamId, {
        workspaceId: request.workspaceId,
        env: request.env ?? {},
        from: 'run',
      }))
    const program = { ...taken.program, env: toEnv(environment) }
    const { sandboxId } = request
    // refused before it is accepted: nothing here takes it, or nobody has room
    checkCell(request)
    checkFiles(program, limits)
    if (sandboxId === undefined) router.choose(program, request.runtime)
    else await this.#checkPlace(teamId, sandboxId)
    this.#queue.checkRoom(teamId)

    const { quotas, usedSeconds } = await this.#grants.of(teamId)
    if (quotas.runsAtOnce === 0) checkQuota(quotas, 'runsAtOnce', 0)
    checkQuota(quotas, 'runSecondsPerDay', usedSeconds)

    const live = new LiveRun(newRun(caller, request, hashProgram(recorded), options), {
      teamId,
      personId: caller.person.id,
    })
    this.#recorded.set(
      live.id,
      await this.#recorder.begin({
        run: live.run,
        request,
        program: recorded,
        caller,
        // the cells of a sandbox refer to their runs
        durable: durable || sandboxId !== undefined,
      }),
    )

    const entry: QueueEntry = {
      teamId,
      personId: caller.person.id,
      teamSlots: quotas.runsAtOnce,
      ...(sandboxId === undefined ? {} : { lane: `${sandboxId} ${contextOf(request)}` }),
      isCaller: options.capabilities !== undefined,
      work: async () => {
        try {
          await carryOut()
        } catch (error) {
          // whatever it was, it is one run's end and never the server's
          this.#rooms.log.error({ error, run: live.id }, 'a run could not be carried out')
          const { status, error: told } = internalOutcome()
          await this.#finish(live, { ...live.run, status, error: told, endedAt: new Date().toISOString() }, [])
        }
      },
    }
    const carryOut = async () => {
      this.#entries.delete(live.id)
      this.#announce(teamId, live.id)
      const capabilities = lendSlot(options.capabilities ?? {}, {
        rest: () => this.#queue.rest(entry),
        wake: () => this.#queue.wake(entry),
      })
      const onBegun = () => this.#recorded.get(live.id)?.begun()
      const execution = { live, request, program, environment, limits, network, movedFrom, capabilities, onBegun }
      const { run, files } =
        sandboxId === undefined
          ? await executeRun(this.#rooms, execution)
          : await executeCell(this.#rooms, execution, { sandboxId, isReplay })
      const lost = await bringBack(this.#rooms.workspaces, { teamId, request, run, files })
      if (lost !== undefined) live.print({ at: run.durationMs, stream: 'stderr', text: lost })
      await this.#finish(live, run, files)
    }
    this.#live.set(live.id, live)
    this.#entries.set(live.id, entry)
    this.#queue.add(entry)
    this.#announce(teamId, live.id)
    return live
  }

  async get(teamId: string, id: string): Promise<Run> {
    const live = this.#liveOf(teamId, id)
    if (live) return this.#withPosition(live)
    const run = await this.#rooms.database.transaction({ team: teamId }, (transaction) =>
      selectRun(transaction, teamId, id),
    )
    if (!run) throw new CoherexError('not_found', 'There is no such run')
    return run
  }

  /** Gives the line that a run asked for; undefined is the end of input. */
  answerInput(teamId: string, id: string, text: string | undefined): void {
    const live = this.#liveOf(teamId, id)
    if (!live) throw new CoherexError('not_found', 'There is no such run under way')
    live.answer(text)
  }

  /** Runs the program of an ended run again where there is more room. Its caller knows that it may have had effects. */
  async escalate(caller: TeamCaller, id: string): Promise<LiveRun> {
    const before = await this.get(caller.teamId, id)
    return this.start(caller, await toEscalated(this.#rooms.database, caller.teamId, before), { movedFrom: before })
  }

  /** Runs the program of an ended run again, as it was asked for. */
  async retry(caller: TeamCaller, id: string): Promise<LiveRun> {
    const request = await selectRequest(this.#rooms.database, caller.teamId, id)
    return this.start(caller, request, { retryOf: id })
  }

  /** A run that this process holds. */
  live(teamId: string, id: string): Run | undefined {
    return this.#liveOf(teamId, id)?.run
  }

  program(teamId: string, id: string) {
    return selectProgram(this.#rooms.database, teamId, id)
  }

  async list(
    teamId: string,
    query: RunFilters & { limit: number; cursor?: string | undefined },
  ): Promise<Page<RunSummary>> {
    const page = await selectRuns(this.#rooms.database, teamId, query)
    const items = page.items.map((item) => {
      const live = this.#liveOf(teamId, item.id)?.run
      return live ? { ...item, status: live.status, runtime: live.runtime, queuedMs: live.queuedMs } : item
    })
    return { ...page, items: query.status ? items.filter(({ status }) => status === query.status) : items }
  }

  /** Stops the run with everything it started, and waits until it has ended. */
  async cancel(caller: TeamCaller, id: string): Promise<Run> {
    const live = this.#liveOf(caller.teamId, id)
    if (!live) {
      const run = await this.get(caller.teamId, id)
      if (hasEnded(run)) return run
      throw new CoherexError('unavailable', `Cannot stop run "${id}": another server process holds it`)
    }
    await this.#rooms.database.transaction({ team: caller.teamId }, (transaction) =>
      recordAudit(transaction, {
        teamId: caller.teamId,
        actor: caller,
        action: 'run.cancel',
        target: { kind: 'run', id },
      }),
    )
    live.cancel()
    const entry = this.#entries.get(id)
    if (entry && this.#queue.remove(entry)) {
      this.#entries.delete(id)
      await this.#finish(live, cancelledInQueue(live.run), [])
    }
    return live.ended
  }

  /** Events after number `after`, then those to come. Resolves when the run has ended or `signal` aborts. */
  async watch(
    { teamId, id, after, signal }: { teamId: string; id: string; after: number; signal: AbortSignal },
    listener: (event: RunEvent, id: number) => void,
  ): Promise<void> {
    const live = this.#liveOf(teamId, id)
    if (!live) {
      const run = await this.get(teamId, id)
      const events = eventsOf(run)
      for (const [number, event] of events.entries()) if (number > after) listener(event, number)
      // a watcher of a server that was killed may have heard more than was kept: the end is told all the same
      if (hasEnded(run) && after >= events.length) listener({ type: 'run-end', run }, after + 1)
      return
    }
    const gone = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => gone.resolve(), { once: true })
    const unwatch = live.watch(after, listener)
    await Promise.race([live.ended, gone.promise])
    unwatch()
  }

  async file(teamId: string, id: string, path: string) {
    const file = await selectRunFile(this.#rooms.database, teamId, id, path)
    const body = file && (await this.#rooms.blobs.read(teamId, file.hash))
    if (!file || !body) throw new CoherexError('not_found', 'There is no such file: files are kept for a day')
    return { size: file.size, body }
  }

  /** What the team uses now of what its quotas bound. */
  async usage(teamId: string): Promise<Partial<Quotas>> {
    const { usedSeconds, storedMb } = await this.#grants.of(teamId)
    return {
      runsAtOnce: this.#queue.running(teamId),
      runSecondsPerDay: Math.round(usedSeconds * 10) / 10,
      storageMb: Math.round(storedMb * 10) / 10,
      ...this.#rooms.sandboxes.usage(teamId),
    }
  }

  runtimes(): RuntimeStatus[] {
    return this.#rooms.router.runtimes.map((runtime) => ({
      name: runtime.name,
      ...runtime.health(),
      metrics: this.#rooms.meter.read(runtime.name),
    }))
  }

  /** Whether a language runs here, on what, why not, and how to get it. */
  language(language: Language): LanguageStatus {
    return describeLanguage(this.#rooms.router.runtimes, language)
  }

  languageVersion(language: Language): Promise<string | undefined> {
    return versionOf(this.#rooms.router.runtimes, language)
  }

  /** Accepts nothing more, lets what runs finish for a moment, stops the rest, and records every end. */
  async close(): Promise<void> {
    this.#queue.close()
    const open = [...this.#live.values()]
    for (const live of open) {
      const entry = this.#entries.get(live.id)
      if (entry && this.#queue.remove(entry)) await this.#finish(live, cancelledInQueue(live.run), [])
    }
    const ended = Promise.all(open.map((live) => live.ended))
    await Promise.race([ended, delay(graceMs, undefined, { ref: false })])
    for (const live of this.#live.values()) live.cancel()
    await Promise.race([ended, delay(stopDeadlineMs, undefined, { ref: false })])
  }

  async #checkPlace(teamId: string, sandboxId: string): Promise<void> {
    const { status } = await this.#rooms.sandboxes.find(teamId, sandboxId)
    if (status === 'ended') throw new CoherexError('conflict', `Cannot run in sandbox "${sandboxId}": it has ended`)
  }

  #liveOf(teamId: string, id: string): LiveRun | undefined {
    const live = this.#live.get(id)
    return live?.teamId === teamId ? live : undefined
  }

  #withPosition(live: LiveRun): Run {
    const entry = this.#entries.get(live.id)
    return entry ? { ...live.run, position: this.#queue.position(entry) } : live.run
  }

  async #finish(live: LiveRun, run: Run, produced: ProducedFile[]): Promise<void> {
    const { log } = this.#rooms
    const files = await this.#withinStorage(live.teamId, produced)
    const leftOut = produced.length - files.length
    if (leftOut > 0) {
      const text = `[${leftOut} of ${produced.length} files were not kept: the team's storage is full]`
      live.print({ at: run.durationMs, stream: 'stderr', text })
    }
    const ended = await this.#recorded
      .get(live.id)
      ?.end({ ...run, output: live.run.output }, files)
      .catch((error: unknown) => {
        log.error({ error, run: run.id }, 'the end of a run could not be recorded')
        return undefined
      })
    this.#recorded.delete(live.id)
    this.#live.delete(live.id)
    void this.#grants.count(live.teamId, {
      seconds: run.durationMs / 1000,
      bytes: files.reduce((sum, file) => sum + file.bytes.length, 0),
    })
    live.end(
      ended ?? {
        ...run,
        status: 'failed',
        error: { kind: 'internal', message: 'The run ended but could not be recorded' },
      },
    )
    this.#announce(live.teamId, live.id)
  }

  /** The files that still fit into the team's storage. */
  async #withinStorage(teamId: string, files: ProducedFile[]): Promise<ProducedFile[]> {
    if (files.length === 0) return files
    const { quotas, storedMb } = await this.#grants.of(teamId)
    let leftBytes = (quotas.storageMb - storedMb) * 1024 * 1024
    return files.filter(({ bytes }) => {
      if (bytes.length > leftBytes) return false
      leftBytes -= bytes.length
      return true
    })
  }

  /** Tells the team's open pages that runs changed, gathered so that a thousand runs are not a thousand notices. */
  #announce(teamId: string, id: string): void {
    const ids = this.#announced.get(teamId)
    if (ids) {
      ids.add(id)
      return
    }
    const gathered = new Set([id])
    this.#announced.set(teamId, gathered)
    setTimeout(() => {
      this.#announced.delete(teamId)
      const [only] = gathered
      void this.#rooms.events.publish({ teamId, type: 'run', id: gathered.size === 1 && only ? only : null })
    }, announceEveryMs).unref()
  }
}

function newRun(
  caller: TeamCaller,
  request: RunRequest,
  codeHash: string,
  { startedBy = startedByCaller(caller), retryOf }: StartOptions,
): Run {
  return {
    id: createId('run'),
    status: 'queued',
    language: request.language,
    runtime: null,
    output: [],
    files: [],
    truncated: false,
    queuedMs: 0,
    durationMs: 0,
    peakMemoryMb: null,
    createdAt: new Date().toISOString(),
    startedAt: null,
    endedAt: null,
    codeHash,
    createdBy: { id: caller.person.id, name: caller.person.name },
    startedBy,
    ...(retryOf === undefined ? {} : { retryOf }),
    ...workspaceOf(request),
    ...(request.sandboxId === undefined ? {} : { sandboxId: request.sandboxId }),
    signs: [],
    requests: [],
  }
}

function cancelledInQueue(run: Run): Run {
  return {
    ...run,
    status: 'cancelled',
    error: { kind: 'cancelled', message: 'The run was cancelled before it began' },
    queuedMs: Math.max(0, Date.now() - Date.parse(run.createdAt)),
    endedAt: new Date().toISOString(),
  }
}
