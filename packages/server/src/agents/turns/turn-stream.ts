import { setTimeout as delay } from 'node:timers/promises'
import type { TurnChunk } from '@coherex/contract'
import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { storable, type Database, type Log, type Transaction } from '../../base/index.ts'
import { turnChunkTable } from './tables.ts'
import { selectTurn } from './turn-store.ts'

/** A chunk of a turn's stream. Numbers have no gaps within a taking of the turn, so that whoever comes back asks for what follows. */
export interface NumberedChunk {
  number: number
  chunk: TurnChunk
}

const flushEveryMs = 100
const lookAgainMs = 250
/** Where the numbers of a taking may begin. */
const takingNumbers = 100_000
/** More than a server says before it stores it. */
const mostUnstored = 10_000

/** What a turn says, as it says it: kept in memory for those here, and in rows for those elsewhere. */
export class TurnStream {
  readonly #chunks: NumberedChunk[] = []
  readonly #waiting = new Set<() => void>()
  readonly #store: { database: Database; log: Log; teamId: string; turnId: string }
  /** Number of the first chunk here: what came before was said in an earlier taking of the turn. */
  readonly first: number
  #kept = 0
  #flushing: Promise<void> | undefined
  #isEnded = false

  constructor(store: { database: Database; log: Log; teamId: string; turnId: string }, first = 0) {
    this.#store = store
    this.first = first
  }

  add(chunk: TurnChunk): void {
    this.#chunks.push({ number: this.first + this.#chunks.length, chunk })
    for (const wake of this.#waiting) wake()
    this.#flushing ??= this.#flush()
  }

  /**
   * Ends with these chunks. They are in the rows before `record` writes the end down, and reach readers after it: whoever
   * has heard the end finds it recorded, and whoever finds it recorded can hear all of it.
   */
  async end(last: TurnChunk[], record: () => Promise<void>): Promise<void> {
    await this.#flushing
    const from = this.first + this.#chunks.length
    await this.#keep(last)
    try {
      await record()
    } finally {
      this.#chunks.push(...last.map((chunk, index) => ({ number: from + index, chunk })))
      this.#isEnded = true
      for (const wake of this.#waiting) wake()
    }
  }

  /** Everything from `from` on, until the turn ends or the reader leaves. */
  async *read(from: number, signal: AbortSignal): AsyncGenerator<NumberedChunk> {
    for (let next = from; !signal.aborted;) {
      const chunk = this.#chunks[next - this.first]
      if (chunk) {
        next++
        yield chunk
      } else if (this.#isEnded) return
      else await this.#changed(signal)
    }
  }

  #changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        // what is said in one go is read in one go: a write for each word would cost more than the word
        setImmediate(resolve)
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }

  /** In batches: a word a row would be a row a millisecond. */
  async #flush(): Promise<void> {
    await delay(flushEveryMs)
    this.#flushing = undefined
    await this.#keep()
  }

  async #keep(more: TurnChunk[] = []): Promise<void> {
    const { database, log, teamId, turnId } = this.#store
    const from = this.#kept
    const chunks = [...this.#chunks.slice(from).map(({ chunk }) => chunk), ...more]
    this.#kept = this.#chunks.length
    if (chunks.length === 0) return
    try {
      // a crash loses the last words of a stream, never of an answer: those are kept with their step
      await database.transaction({ team: teamId, durable: false }, (transaction) =>
        transaction
          .insert(turnChunkTable)
          .values({ teamId, turnId, number: this.first + from, chunks: storable(chunks) }),
      )
    } catch (error) {
      log.warn({ error }, 'the stream of a turn could not be kept for other servers')
    }
  }
}

/**
 * The first number for a server that takes a turn up again. The one before may have said more than it stored, and whoever
 * heard that must not miss what is said now: the numbers begin past any that it can have given.
 */
export async function firstChunkOfTaking(database: Database, teamId: string, turnId: string): Promise<number> {
  const { rows } = await database.transaction({ team: teamId }, (transaction) =>
    transaction.execute<{ next: number }>(sql`
      SELECT coalesce(max(number + jsonb_array_length(chunks)), 0)::float8 AS next FROM coherex.turn_chunk
      WHERE team_id = ${teamId} AND turn_id = ${turnId}`),
  )
  return Math.ceil(((rows[0]?.next ?? 0) + mostUnstored) / takingNumbers) * takingNumbers
}

interface StoredStream {
  teamId: string
  turnId: string
  from: number
}

/** What earlier takers of a turn said, up to the taking that begins with `until`. */
export async function readEarlierTakings(
  database: Database,
  { teamId, turnId, from }: StoredStream,
  until: number,
): Promise<NumberedChunk[]> {
  const rows = await database.transaction({ team: teamId }, (transaction) =>
    selectChunks(transaction, { teamId, turnId, from }),
  )
  return following(rows, from).filter(({ number }) => number < until)
}

/** The stream of a turn that another server process works on, from its rows. */
export async function* readStoredStream(
  database: Database,
  { teamId, turnId, from, signal }: StoredStream & { signal: AbortSignal },
): AsyncGenerator<NumberedChunk> {
  for (let next = from; !signal.aborted;) {
    const { rows, isEnded } = await database.transaction({ team: teamId }, async (transaction) => {
      const turn = await selectTurn(transaction, teamId, turnId)
      const found = await selectChunks(transaction, { teamId, turnId, from: next })
      // one that rests says nothing more until its time has come: whoever reads comes back then
      return { rows: found, isEnded: turn.endedAt !== null || turn.status === 'waiting' || turn.status === 'sleeping' }
    })
    for (const one of following(rows, next)) {
      next = one.number + 1
      yield one
    }
    if (isEnded) return
    await delay(lookAgainMs, undefined, { signal }).catch(() => undefined)
  }
}

type ChunkRow = Pick<typeof turnChunkTable.$inferSelect, 'number' | 'chunks'>

function selectChunks(transaction: Transaction, { teamId, turnId, from }: StoredStream): Promise<ChunkRow[]> {
  return transaction
    .select({ number: turnChunkTable.number, chunks: turnChunkTable.chunks })
    .from(turnChunkTable)
    .where(
      and(
        eq(turnChunkTable.teamId, teamId),
        eq(turnChunkTable.turnId, turnId),
        // a row holds several: the one that `from` is in may begin before it
        gte(turnChunkTable.number, Math.max(0, from - mostUnstored)),
      ),
    )
    .orderBy(asc(turnChunkTable.number))
}

/** What comes after what was read. A row that is not there yet is waited for; only a new taking begins past a gap. */
function following(rows: readonly ChunkRow[], from: number): NumberedChunk[] {
  const found: NumberedChunk[] = []
  let next = from
  for (const row of rows) {
    for (const [index, chunk] of row.chunks.entries()) {
      const number = row.number + index
      const isNewTaking = number > next && number % takingNumbers === 0
      if (number !== next && !isNewTaking) continue
      found.push({ number, chunk: chunk as TurnChunk })
      next = number + 1
    }
  }
  return found
}
