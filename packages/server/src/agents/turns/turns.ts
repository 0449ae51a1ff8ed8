import { CoherexError, type Turn, type TurnEnding, type TurnRequest } from '@coherex/contract'
import type { UIMessage } from 'ai'
import { and, eq } from 'drizzle-orm'
import type { TeamCaller } from '../../access/index.ts'
import { createId, type Transaction } from '../../base/index.ts'
import { TurnStop } from '../loop/run-turn.ts'
import { insertMessage } from '../threads/message-store.ts'
import { messageTable } from '../threads/tables.ts'
import { selectThread, type StoredThread } from '../threads/thread-store.ts'
import { readTurn, selectOpenTurn, selectTurn, type StoredTurn } from '../threads/turn-store.ts'
import { readStoredStream, TurnStream, type NumberedChunk } from '../threads/turn-stream.ts'
import { beginTurn, type Beginning, type BeginRooms, type ParentTurn } from './begin-turn.ts'
import { workTurn, type WorkRooms } from './work-turn.ts'

export type TurnsRooms = BeginRooms & WorkRooms

interface LiveTurn {
  teamId: string
  stop: AbortController
  stream: TurnStream
  ended: Promise<TurnEnding>
}

export interface Saying extends Omit<TurnRequest, 'parentId'> {
  caller: TeamCaller
  threadId: string
  /** Message to say it after; undefined is the end of the branch that is shown. */
  parentId?: string | null | undefined
  parent?: ParentTurn
}

const openTurnsPerTeam = 200
const serverStopped: TurnEnding = {
  kind: 'interrupted',
  message: 'The server stopped while the agent was at work',
}

/** The work of agents: one turn at a time in each thread, in view of everyone who watches. */
export class Turns {
  readonly #rooms: TurnsRooms
  readonly #live = new Map<string, LiveTurn>()
  readonly #unsubscribe: () => void
  #isClosing = false

  constructor(rooms: TurnsRooms) {
    this.#rooms = rooms
    // a stop may be asked for at another server process than the one that works
    this.#unsubscribe = rooms.events.subscribe(({ type, id }) => {
      if (type === 'turn-stop' && id) this.#live.get(id)?.stop.abort(stoppedBy('Someone'))
    })
  }

  /** Says something to the agent. */
  say({ caller, threadId, parentId, text, files = [], model, parent }: Saying): Promise<StoredTurn> {
    const parts: UIMessage['parts'] = [
      ...files.map(({ name, mediaType, base64 }) => ({
        type: 'file' as const,
        filename: name,
        mediaType,
        url: `data:${mediaType};base64,${base64}`,
      })),
      { type: 'text', text },
    ]
    const { teamId, person } = caller
    return this.#begin({
      caller,
      threadId,
      model,
      parent,
      async question(transaction, thread) {
        const after = parentId === undefined ? thread.headId : parentId
        if (after !== null) await requireMessage(transaction, thread, after)
        const id = createId('message')
        const author = { authorId: person.id, authorName: person.name }
        await insertMessage(transaction, { teamId, id, threadId, parentId: after, role: 'user', parts, ...author })
        return id
      },
    })
  }

  /** Answers a message again, as another branch. */
  regenerate(
    caller: TeamCaller,
    threadId: string,
    { messageId, model }: { messageId: string; model?: string | undefined },
  ): Promise<StoredTurn> {
    return this.#begin({
      caller,
      threadId,
      model,
      async question(transaction, thread) {
        const message = await requireMessage(transaction, thread, messageId)
        const question = message.role === 'user' ? message.id : message.parentId
        if (!question) throw new CoherexError('invalid_input', 'There is no question to answer again')
        return question
      },
    })
  }

  /** Goes on with a turn that ended at a limit, was stopped or broke off: its answer grows in place. */
  async continue(caller: TeamCaller, turnId: string): Promise<StoredTurn> {
    const { teamId } = caller
    const before = await this.#rooms.database.transaction({ team: teamId }, (transaction) =>
      selectTurn(transaction, teamId, turnId),
    )
    const { endedAt, status, threadId, model, answerId, questionId } = before
    if (!endedAt || status === 'done') throw new CoherexError('conflict', 'This turn has nothing to go on with')
    return this.#begin({ caller, threadId, model, answerId, question: async () => questionId })
  }

  async stop(caller: TeamCaller, turnId: string): Promise<Turn> {
    const { database, events } = this.#rooms
    const turn = await readTurn(database, caller.teamId, turnId)
    if (turn.endedAt) return turn
    const live = this.#live.get(turnId)
    live?.stop.abort(stoppedBy(caller.person.name))
    if (live) await live.ended
    else await events.publish({ teamId: caller.teamId, type: 'turn-stop', id: turnId })
    return readTurn(database, caller.teamId, turnId)
  }

  /** The turn under way in a thread; undefined when none is. */
  current(teamId: string, threadId: string): Promise<StoredTurn | undefined> {
    return this.#rooms.database.transaction({ team: teamId }, async (transaction) => {
      await selectThread(transaction, teamId, threadId)
      return selectOpenTurn(transaction, teamId, threadId)
    })
  }

  /** What a turn says, from chunk `from` on, until it ends. */
  stream(
    { teamId, id }: Pick<StoredTurn, 'teamId' | 'id'>,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<NumberedChunk> {
    const live = this.#live.get(id)
    if (live) return live.stream.read(from, signal)
    return readStoredStream(this.#rooms.database, { teamId, turnId: id, from, signal })
  }

  /** How a turn of this process ends, when it has. */
  async ended(turnId: string): Promise<TurnEnding | undefined> {
    return this.#live.get(turnId)?.ended
  }

  /** Ends every turn under way: a person can continue them after the restart. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#unsubscribe()
    const live = [...this.#live.values()]
    for (const { stop } of live) stop.abort(new TurnStop(serverStopped))
    await Promise.all(live.map(({ ended }) => ended))
  }

  async #begin(beginning: Beginning): Promise<StoredTurn> {
    const { teamId } = beginning.caller
    if (this.#isClosing) throw new CoherexError('unavailable', 'The server is stopping: try again in a moment')
    this.#checkRoom(teamId)
    const begun = await beginTurn(this.#rooms, beginning)
    const { turn } = begun
    const stop = new AbortController()
    const parent = beginning.parent?.signal
    parent?.addEventListener('abort', () => stop.abort(parent.reason), { once: true })
    const stream = new TurnStream({ ...this.#rooms, teamId, turnId: turn.id })
    const ended = workTurn(this.#rooms, begun, { stream, stop }).finally(() => this.#live.delete(turn.id))
    this.#live.set(turn.id, { teamId, stop, stream, ended })
    await this.#rooms.events.publish({ teamId, type: 'thread', id: turn.threadId })
    return turn
  }

  #checkRoom(teamId: string): void {
    const open = [...this.#live.values()].filter((live) => live.teamId === teamId).length
    if (open < openTurnsPerTeam) return
    throw new CoherexError('quota_exceeded', `${open} turns of the team are under way: wait for one to end`, {
      retryAfterSeconds: 5,
    })
  }
}

async function requireMessage(transaction: Transaction, { teamId, id }: StoredThread, messageId: string) {
  const [row] = await transaction
    .select()
    .from(messageTable)
    .where(and(eq(messageTable.teamId, teamId), eq(messageTable.threadId, id), eq(messageTable.id, messageId)))
  if (!row) throw new CoherexError('not_found', 'There is no such message in this thread')
  return row
}

function stoppedBy(name: string): TurnStop {
  return new TurnStop({ kind: 'stopped', message: `${name} stopped it` })
}
