import { CoherexError, type Page, type QueuedMessage, type Turn, type TurnEnding } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import { actFor, forEachTeam } from '../../base/index.ts'
import { findWaitingThreads } from '../threads/queued-messages.ts'
import { tellThread } from '../threads/thread-news.ts'
import { selectThread } from '../threads/thread-store.ts'
import { toFilePart } from '../turn/attached-file.ts'
import { TurnLeft, TurnStop } from '../turn/ending.ts'
import { closingChunks } from '../turns/closing-chunks.ts'
import { sweepTeam, renewLeases, takeAsked, takeNextTurn, wakeAsking, type Taker } from '../turns/queue-store.ts'
import {
  endTurn,
  listTurns,
  readTurn,
  selectOpenTurn,
  selectTurn,
  ThreadBusy,
  type StoredTurn,
  type TurnFilters,
} from '../turns/turn-store.ts'
import {
  firstChunkOfTaking,
  readEarlierTakings,
  readStoredStream,
  TurnStream,
  type NumberedChunk,
} from '../turns/turn-stream.ts'
import { beginTurn, type Beginning, type BeginDeps, type BegunTurn, type ParentTurn } from './begin-turn.ts'
import { beginAgain, beginContinued, beginRetry, beginSaying, partsOf, type Saying } from './beginnings.ts'
import { EarlyStops } from './early-stops.ts'
import { loadTurn } from './load-turn.ts'
import { MessageQueue } from './message-queue.ts'
import { workTurn, type WorkEnding, type WorkDeps } from './work-turn.ts'

export type TurnsDeps = BeginDeps & WorkDeps & Taker

interface LiveTurn {
  teamId: string
  take: number
  stop: AbortController
  threadId: string
  /** Whether something may have been said into it that it has not read. */
  said: { isDue: boolean }
  /** Of each turn, so that nothing of it hangs on a signal that lives as long as the server. */
  leave: AbortController
  stream: TurnStream
  ended: Promise<WorkEnding>
}

// what one process works on at once; others stay in the queue for whoever has room
const mostLive = 400
// several tries to say that it is at work fit into a lease
const looksPerLease = 4
const graceMs = 5_000

/**
 * The work of agents: one turn at a time in each thread, in view of everyone who watches. Turns are rows with a lease:
 * any server process takes up what is due, and what another one left behind.
 */
export class Turns {
  readonly #deps: TurnsDeps
  readonly #live = new Map<string, LiveTurn>()
  readonly #unsubscribe: () => void
  readonly #leaving = new AbortController()
  readonly #timers: NodeJS.Timeout[]
  readonly #earlyStops = new EarlyStops()
  readonly #queue: MessageQueue
  /** What this process begins itself is in memory already. */
  readonly #begun = new Map<string, BegunTurn>()
  readonly #taking = new Map<string, Promise<void>>()
  #sweeping: Promise<void> | undefined

  constructor(deps: TurnsDeps) {
    this.#deps = deps
    this.#queue = new MessageQueue({
      ...deps,
      begin: (beginning) => this.#begin(beginning),
      isLeaving: () => this.#leaving.signal.aborted,
    })
    // a stop may be asked for at another server process than the one that works
    this.#unsubscribe = deps.events.subscribe(({ type, id, teamId }) => {
      const live = type === 'turn-stop' && id ? this.#live.get(id) : undefined
      if (live) live.stop.abort(stoppedBy('Someone'))
      else if (type === 'turn-stop' && id) this.#earlyStops.keep(id)
      if (type === 'turn-due' && teamId) void this.#takeDue(teamId)
      if (type === 'turn-said' || type === 'reconnected') this.#noteSaid(id)
    })
    const everyMs = (deps.leaseSeconds * 1000) / looksPerLease
    this.#timers = [setInterval(() => void this.#renew(), everyMs), setInterval(() => this.sweep(), everyMs)]
    for (const timer of this.#timers) timer.unref()
    this.sweep()
  }

  get(teamId: string, id: string): Promise<Turn> {
    return readTurn(this.#deps.database, teamId, id)
  }

  list(teamId: string, filters: TurnFilters): Promise<Page<Turn>> {
    return listTurns(this.#deps.database, teamId, filters)
  }

  /** Says something to the agent. */
  async say(saying: Saying): Promise<StoredTurn> {
    return this.#begin(beginSaying(await this.#withFiles(saying)))
  }

  /** Says something, or queues it behind the turn under way, which is the one that it answers then. */
  async sayOrQueue(saying: Saying): Promise<{ turnId: string; queued?: QueuedMessage }> {
    const { caller, threadId, parentId } = saying
    const whole = await this.#withFiles(saying)
    // what begins a branch elsewhere has nothing to do with the turn under way
    if (parentId !== undefined) return { turnId: (await this.say(whole)).id }
    for (;;) {
      const queued = await this.#queue.put(whole)
      if (queued) {
        // the one under way, or the one that has ended just now
        const { items } = await this.list(caller.teamId, { threadId, limit: 1 })
        return { turnId: items[0]?.id ?? '', queued }
      }
      try {
        return { turnId: (await this.say(whole)).id }
      } catch (error) {
        // someone else was quicker
        if (!(error instanceof ThreadBusy)) throw error
      }
    }
  }

  /** The message with its files where the agent finds them. */
  async #withFiles(saying: Saying): Promise<Saying> {
    const { caller, threadId, attachments = [], ...rest } = saying
    if (attachments.length === 0) return saying
    const { database } = this.#deps
    const thread = await database.transaction({ team: caller.teamId }, (transaction) =>
      selectThread(transaction, caller.teamId, threadId),
    )
    const attached = await this.#deps.attachments.attach(caller, thread, attachments)
    return { ...rest, caller, threadId, parts: [...attached.map(toFilePart), ...partsOf(saying)] }
  }

  /** Other words for a message that waits. */
  changeQueued(...args: Parameters<MessageQueue['change']>) {
    return this.#queue.change(...args)
  }

  removeQueued(...args: Parameters<MessageQueue['remove']>): Promise<void> {
    return this.#queue.remove(...args)
  }

  /** Answers a message again, as another branch. */
  regenerate(
    caller: TeamCaller,
    threadId: string,
    again: { messageId: string; model?: string | undefined },
  ): Promise<StoredTurn> {
    return this.#begin(beginAgain(caller, threadId, again))
  }

  /** Answers the question of a turn again, as another branch. */
  async retry(caller: TeamCaller, turnId: string): Promise<StoredTurn> {
    return this.#begin(beginRetry(caller, await this.#find(caller.teamId, turnId)))
  }

  /** Goes on with a turn that ended at a limit, was stopped or broke off: its answer grows in place. */
  async continue(
    caller: TeamCaller,
    turnId: string,
    asking: Pick<Saying, 'parent' | 'startedBy'> = {},
  ): Promise<StoredTurn> {
    return this.#begin({ ...beginContinued(caller, await this.#find(caller.teamId, turnId)), ...asking })
  }

  /** Has a turn go on that another one asked for: nobody else takes it up. */
  async drive(asked: Pick<StoredTurn, 'teamId' | 'id'>, parent: ParentTurn): Promise<void> {
    const turn = await takeAsked(this.#deps.database, asked, parent.hold, this.#deps)
    if (turn) await this.#takeUp(turn, parent)
  }

  async stop(caller: TeamCaller, turnId: string): Promise<Turn> {
    const { database, events } = this.#deps
    const turn = await readTurn(database, caller.teamId, turnId)
    if (turn.endedAt) return turn
    const live = this.#live.get(turnId)
    live?.stop.abort(stoppedBy(caller.person.name))
    // one that was just going to rest is stopped there
    if (live) await live.ended
    const after = live ? await readTurn(database, caller.teamId, turnId) : turn
    if (after.endedAt) return after
    if (after.status !== 'running') await this.#endResting(caller, turnId)
    else await events.publish({ teamId: caller.teamId, type: 'turn-stop', id: turnId })
    return readTurn(database, caller.teamId, turnId)
  }

  /** Someone answered, or a limit was lifted: looks in every process whether a turn of the team can go on. */
  async due(teamId: string): Promise<void> {
    await this.#deps.events.publish({ teamId, type: 'turn-due', id: null })
  }

  /** The turn under way in a thread; undefined when none is. */
  current(teamId: string, threadId: string): Promise<StoredTurn | undefined> {
    return this.#deps.database.transaction({ team: teamId }, async (transaction) => {
      await selectThread(transaction, teamId, threadId)
      return selectOpenTurn(transaction, teamId, threadId)
    })
  }

  /** What a turn says, from chunk `from` on, until it ends. */
  async *stream(
    turn: Pick<StoredTurn, 'teamId' | 'id'>,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<NumberedChunk> {
    let next = from
    let isFinished = false
    for await (const said of this.#said(turn, from, signal)) {
      next = said.number + 1
      isFinished = said.chunk.type === 'finish'
      yield said
    }
    if (isFinished || signal.aborted) return
    // nobody worked on it when it ended, so nobody said so
    const { ending } = await this.#find(turn.teamId, turn.id)
    for (const chunk of ending ? closingChunks(turn.id, ending) : []) yield { number: next++, chunk }
  }

  async *#said(
    { teamId, id }: Pick<StoredTurn, 'teamId' | 'id'>,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<NumberedChunk> {
    const { database } = this.#deps
    const stream = this.#live.get(id)?.stream
    if (!stream) return yield* readStoredStream(database, { teamId, turnId: id, from, signal })
    // what an earlier taker of the turn said is in the rows
    if (from < stream.first) yield* await readEarlierTakings(database, { teamId, turnId: id, from }, stream.first)
    yield* stream.read(Math.max(from, stream.first), signal)
  }

  /** How a turn of this process ends, when it has. */
  async ended(turnId: string): Promise<WorkEnding | undefined> {
    return this.#live.get(turnId)?.ended
  }

  /** Leaves every turn to another process, or to this one after the restart. Calls under way get a moment to end. */
  async close(): Promise<void> {
    this.#leaving.abort()
    this.#unsubscribe()
    for (const timer of this.#timers) clearInterval(timer)
    await this.#sweeping
    await Promise.all(this.#taking.values())
    const live = [...this.#live.values()]
    for (const { leave } of live) leave.abort()
    const grace = setTimeout(() => {
      for (const { stop } of live) stop.abort(new TurnLeft())
    }, graceMs)
    await Promise.all(live.map(({ ended }) => ended))
    clearTimeout(grace)
  }

  /** Does what the clock brings, in every team. */
  sweep(): void {
    if (this.#leaving.signal.aborted) return
    const { database, log } = this.#deps
    this.#sweeping ??= forEachTeam(database, async (teamId) => {
      if (this.#leaving.signal.aborted) return
      const { hasQueue, changed } = await sweepTeam(database, teamId)
      const waiting = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
        findWaitingThreads(transaction, teamId),
      )
      for (const threadId of waiting) void this.#queue.sayNext(teamId, threadId)
      for (const id of changed) await tellThread(this.#deps, teamId, id)
      if (hasQueue) void this.#takeDue(teamId)
    })
      .catch((error: unknown) => log.warn({ error }, 'due turns could not be looked for'))
      .finally(() => (this.#sweeping = undefined))
  }

  /** Something was said in a thread, or in any. */
  #noteSaid(threadId: string | null): void {
    for (const live of this.#live.values()) if (threadId === null || live.threadId === threadId) live.said.isDue = true
  }

  #find(teamId: string, turnId: string): Promise<StoredTurn> {
    return this.#deps.database.transaction({ team: teamId }, (transaction) => selectTurn(transaction, teamId, turnId))
  }

  async #begin(beginning: Beginning): Promise<StoredTurn> {
    const { caller, parent } = beginning
    const { teamId } = caller
    if (this.#leaving.signal.aborted) {
      if (parent) throw new TurnLeft()
      throw new CoherexError('unavailable', 'The server is stopping: try again in a moment')
    }
    const begun = await beginTurn(this.#deps, beginning)
    const { id, threadId } = begun.turn
    this.#begun.set(id, begun)
    try {
      await (parent ? this.drive(begun.turn, parent) : this.#takeDue(teamId))
    } finally {
      this.#begun.delete(id)
    }
    await tellThread(this.#deps, teamId, threadId)
    return begun.turn
  }

  /** Takes up turns of a team for as long as one is due and there is room. One look at a time in this process. */
  async #takeDue(teamId: string): Promise<void> {
    const before = this.#taking.get(teamId) ?? Promise.resolve()
    const taking = before.then(async () => {
      try {
        while (this.#live.size < mostLive && !this.#leaving.signal.aborted) {
          const { turn, mayBeMore } = await takeNextTurn(this.#deps.database, teamId, this.#deps)
          if (turn) await this.#takeUp(turn)
          if (!mayBeMore) return
        }
      } catch (error) {
        this.#deps.log.warn({ error }, 'a due turn could not be taken up')
      }
    })
    this.#taking.set(teamId, taking)
    await taking
    if (this.#taking.get(teamId) === taking) this.#taking.delete(teamId)
  }

  /** Works on a turn for its person, whoever's request it is that found it due. */
  #takeUp(turn: StoredTurn, parent?: ParentTurn): Promise<void> {
    return actFor(turn.personId, () => this.#resume(turn, parent))
  }

  async #resume(turn: StoredTurn, parent?: ParentTurn): Promise<void> {
    const { database, log } = this.#deps
    const fresh = this.#begun.get(turn.id)
    if (fresh) return this.#work({ ...fresh, turn }, 0)
    try {
      const begun = await loadTurn(this.#deps, turn, parent)
      this.#work(begun, await firstChunkOfTaking(database, turn.teamId, turn.id))
    } catch (error) {
      if (error instanceof TurnStop) return this.#end(turn, error.ending)
      // what is not the team's to mend passes: the lease runs out, and the turn is tried again
      if (!(error instanceof CoherexError) || error.code === 'unavailable') {
        if (parent) throw error
        log.error({ error, turnId: turn.id }, 'a turn could not be taken up')
        return
      }
      await this.#end(turn, { kind: 'interrupted', message: `It could not go on: ${error.message}` })
    }
  }

  #work(begun: BegunTurn, firstChunk: number): void {
    const { turn, parent } = begun
    const { teamId, id, take } = turn
    const stop = new AbortController()
    const leave = new AbortController()
    parent?.signal.addEventListener('abort', () => stop.abort(parent.signal.reason), { once: true })
    if (parent?.signal.aborted) stop.abort(parent.signal.reason)
    const said = { isDue: true }
    const stream = new TurnStream({ ...this.#deps, teamId, turnId: id }, firstChunk)
    const ended = workTurn(this.#deps, begun, { stream, stop, said, leaving: leave.signal }).finally(() => {
      this.#live.delete(id)
      if (turn.depth === 0) void this.#queue.sayNext(teamId, turn.threadId)
      // its place may be what another one waits for; an answer may have come as it went to rest
      if (turn.depth === 0 && !this.#leaving.signal.aborted) void this.#takeDue(teamId)
    })
    this.#live.set(id, { teamId, threadId: turn.threadId, take, stop, leave, stream, said, ended })
    if (this.#earlyStops.take(id)) stop.abort(stoppedBy('Someone'))
    if (this.#leaving.signal.aborted) leave.abort()
  }

  async #renew(): Promise<void> {
    const held = [...this.#live].map(([id, { teamId, take }]) => ({ id, teamId, take }))
    for (const [teamId, turns] of Map.groupBy(held, (turn) => turn.teamId)) {
      await renewLeases(this.#deps.database, teamId, turns, this.#deps).catch((error: unknown) =>
        this.#deps.log.warn({ error }, 'leases of turns could not be renewed'),
      )
    }
  }

  /** Ends a turn that no process works on. */
  async #endResting({ teamId, person }: TeamCaller, turnId: string): Promise<void> {
    await this.#end(await this.#find(teamId, turnId), { kind: 'stopped', message: `${person.name} stopped it` })
  }

  async #end(turn: StoredTurn, ending: TurnEnding): Promise<void> {
    const { teamId, id, threadId, depth } = turn
    // whoever asked for it has found the turn; nobody asks when the clock does it
    await this.#deps.database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
      if (depth > 0) await wakeAsking(transaction, turn)
      await endTurn(transaction, { teamId, turnId: id }, ending)
    })
    await tellThread(this.#deps, teamId, threadId)
    if (depth > 0) await this.due(teamId)
    else void this.#queue.sayNext(teamId, threadId)
  }
}

function stoppedBy(name: string): TurnStop {
  return new TurnStop({ kind: 'stopped', message: `${name} stopped it` })
}
