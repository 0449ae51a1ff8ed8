import {
  CoherexError,
  type Language,
  type LanguageStatus,
  type Page,
  type Run,
  type RunEvent,
  type RunRequest,
  type RunSummary,
  type RuntimeStatus,
} from '@coherex/contract'
import { checkQuota, quotasOf, recordAudit, type TeamCaller } from '../access/index.ts'
import { createId, type Blobs, type Database, type EventBus } from '../base/index.ts'
import type { ProducedFile } from '../runtimes/index.ts'
import { toNetworkRules } from './bind-capabilities.ts'
import { executeRun, type ExecuteRooms } from './execute-run.ts'
import { eventsOf, LiveRun } from './live-run.ts'
import { RunQueue, type QueueEntry, type QueueLimits } from './run-queue.ts'
import {
  insertRun,
  selectProgram,
  selectRun,
  selectRunFile,
  selectRuns,
  storedMb,
  updateEndedRun,
  usedToday,
  type RunFilters,
} from './run-store.ts'
import { hashProgram, hasEnded, toLimits, toProgram } from './run.ts'

export interface RunsRooms extends ExecuteRooms {
  database: Database
  events: EventBus
  blobs: Blobs
  /** Names this server in its runs' rows, so that its successor can end what it left. */
  serverId: string
}

const stopDeadlineMs = 10_000
const recordAttempts = 5

/** Everything that executes code goes through here: HTTP, agents, tools and triggers alike. */
export class Runs {
  readonly #rooms: RunsRooms
  readonly #queue: RunQueue
  readonly #live = new Map<string, LiveRun>()
  readonly #entries = new Map<string, QueueEntry>()

  constructor(rooms: RunsRooms, limits: QueueLimits) {
    this.#rooms = rooms
    this.#queue = new RunQueue(limits)
  }

  /** Accepts a run: from here on it ends exactly once and is recorded, whatever happens. */
  async start(
    caller: TeamCaller,
    request: RunRequest,
    { durable = true }: { durable?: boolean } = {},
  ): Promise<LiveRun> {
    const { database, router, serverId } = this.#rooms
    const { teamId } = caller
    const program = toProgram(request)
    const network = toNetworkRules(request)
    const limits = toLimits(request)
    // refused before it is accepted: nothing here takes it, or nobody has room
    router.choose(program, request.runtime)
    this.#queue.checkRoom(teamId)

    const live = new LiveRun(newRun(caller, request, hashProgram(program)), { teamId, personId: caller.person.id })
    const quotas = await database.transaction({ team: teamId, durable }, async (transaction) => {
      const granted = await quotasOf(transaction, teamId)
      if (granted.runsAtOnce === 0) checkQuota(granted, 'runsAtOnce', 0)
      checkQuota(granted, 'runSecondsPerDay', await usedToday(transaction, teamId))
      await insertRun(transaction, { run: live.run, request, program, caller, serverId })
      return granted
    })

    const entry: QueueEntry = {
      teamId,
      personId: caller.person.id,
      teamSlots: quotas.runsAtOnce,
      work: async () => {
        this.#entries.delete(live.id)
        const { run, files } = await executeRun(this.#rooms, { live, request, program, limits, network })
        await this.#finish(live, run, files)
      },
    }
    this.#live.set(live.id, live)
    this.#entries.set(live.id, entry)
    this.#queue.add(entry)
    void this.#rooms.events.publish({ teamId, type: 'run', id: live.id })
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

  program(teamId: string, id: string) {
    return selectProgram(this.#rooms.database, teamId, id)
  }

  list(teamId: string, query: RunFilters & { limit: number; cursor?: string | undefined }): Promise<Page<RunSummary>> {
    return selectRuns(this.#rooms.database, teamId, query)
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
      for (const [number, event] of eventsOf(run).entries()) if (number > after) listener(event, number)
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

  runtimes(): RuntimeStatus[] {
    return this.#rooms.router.runtimes.map((runtime) => ({
      name: runtime.name,
      ...runtime.health(),
      metrics: this.#rooms.meter.read(runtime.name),
    }))
  }

  /** Whether a language runs here, on what, and why not. */
  language(language: Language): LanguageStatus {
    const program = toProgram({ language, code: '' })
    const able = this.#rooms.router.runtimes.filter((runtime) => !runtime.refuses(program))
    const ready = able.filter((runtime) => runtime.health().available)
    const reason = able.find((runtime) => !runtime.health().available)?.health().reason
    return {
      language,
      runtimes: able.map((runtime) => runtime.name),
      available: ready.length > 0,
      ...(ready.length === 0 ? { reason: reason ?? 'no runtime of this machine takes it' } : {}),
    }
  }

  /** Accepts nothing more, stops what runs, and records every end. */
  async close(): Promise<void> {
    this.#queue.close()
    const open = [...this.#live.values()]
    for (const live of open) {
      live.cancel()
      const entry = this.#entries.get(live.id)
      if (entry && this.#queue.remove(entry)) await this.#finish(live, cancelledInQueue(live.run), [])
    }
    const timer = new Promise((resolve) => setTimeout(resolve, stopDeadlineMs).unref())
    await Promise.race([Promise.all(open.map((live) => live.ended)), timer])
  }

  #liveOf(teamId: string, id: string): LiveRun | undefined {
    const live = this.#live.get(id)
    return live?.teamId === teamId ? live : undefined
  }

  #withPosition(live: LiveRun): Run {
    const entry = this.#entries.get(live.id)
    return entry ? { ...live.run, position: this.#queue.position(entry) } : live.run
  }

  async #finish(live: LiveRun, run: Run, files: ProducedFile[]): Promise<void> {
    const ended = await this.#record(live.teamId, run, files)
    this.#live.delete(live.id)
    live.end(ended)
    void this.#rooms.events.publish({ teamId: live.teamId, type: 'run', id: live.id })
  }

  /** Writes the end; tries again while the database is away, because the caller must not hear of an end that is not kept. */
  async #record(teamId: string, run: Run, files: ProducedFile[]): Promise<Run> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#recordOnce(teamId, run, files)
      } catch (error) {
        this.#rooms.log.error({ error, run: run.id }, 'the end of a run could not be recorded')
        if (attempt === recordAttempts) return run
        await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** attempt))
      }
    }
  }

  async #recordOnce(teamId: string, run: Run, files: ProducedFile[]): Promise<Run> {
    const { database, blobs } = this.#rooms
    const kept = files.length > 0 ? await this.#withinStorage(teamId, files) : files
    const rows = await Promise.all(
      kept.map(async ({ path, bytes }) => ({ path, size: bytes.length, hash: await blobs.put(teamId, bytes) })),
    )
    const ended = { ...run, files: rows.map(({ path, size }) => ({ path, size })) }
    await database.transaction({ team: teamId }, async (transaction) => {
      const first = await updateEndedRun(transaction, { teamId, run: ended, files: rows })
      if (!first || ended.signs.length === 0) return
      await recordAudit(transaction, {
        teamId,
        actor: { kind: 'system', name: 'Coherex' },
        action: 'run.alert',
        target: { kind: 'run', id: run.id },
        details: { signs: ended.signs, createdBy: run.createdBy },
      })
    })
    return ended
  }

  /** Files past the team's storage are not kept; the run says so in its output. */
  async #withinStorage(teamId: string, files: ProducedFile[]): Promise<ProducedFile[]> {
    const leftMb = await this.#rooms.database.transaction({ team: teamId }, async (transaction) => {
      const { storageMb } = await quotasOf(transaction, teamId)
      return storageMb - (await storedMb(transaction, teamId))
    })
    let leftBytes = leftMb * 1024 * 1024
    return files.filter(({ bytes }) => {
      if (bytes.length > leftBytes) return false
      leftBytes -= bytes.length
      return true
    })
  }
}

function newRun(caller: TeamCaller, request: RunRequest, codeHash: string): Run {
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
