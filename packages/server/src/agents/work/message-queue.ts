import { CoherexError, type QueuedMessage } from '@coherex/contract'
import { findActing, type TeamCaller } from '../../access/index.ts'
import { actFor } from '../../base/index.ts'
import {
  changeQueued,
  findNextQueued,
  noteProblem,
  queueMessage,
  removeQueued,
  takeQueued,
  toQueuedMessage,
} from '../threads/queued-messages.ts'
import { tellThread } from '../threads/thread-news.ts'
import { ThreadBusy, type StoredTurn } from '../turns/turn-store.ts'
import type { Beginning } from './begin-turn.ts'
import { beginSaying, partsOf, type Saying } from './beginnings.ts'
import type { WorkDeps } from './work-turn.ts'

interface QueueDeps extends Pick<WorkDeps, 'database' | 'events' | 'log'> {
  begin(beginning: Beginning): Promise<StoredTurn>
  /** The server stops: what waits is left to the next one. */
  isLeaving(): boolean
}

interface QueuedId {
  threadId: string
  messageId: string
}

/** Messages that were said while an agent worked. They wait in the thread until a turn reads them, or one can begin with them. */
export class MessageQueue {
  readonly #deps: QueueDeps

  constructor(deps: QueueDeps) {
    this.#deps = deps
  }

  /** Queues a message behind the turn under way; undefined when none is. */
  async put(saying: Saying): Promise<QueuedMessage | undefined> {
    const { caller, threadId, model } = saying
    const { database, events } = this.#deps
    const queued = await queueMessage(database, { caller, threadId, model, parts: saying.parts ?? partsOf(saying) })
    if (!queued) return undefined
    const { teamId } = caller
    await events.publish({ teamId, type: 'turn-said', id: threadId })
    await tellThread(this.#deps, teamId, threadId)
    await this.sayNext(teamId, threadId)
    return toQueuedMessage(queued)
  }

  /** Other words for a message that waits; one that could not be said is tried again. */
  async change(caller: TeamCaller, message: QueuedId, text: string) {
    const changed = await changeQueued(this.#deps.database, caller, message, text)
    await tellThread(this.#deps, caller.teamId, message.threadId)
    void this.sayNext(caller.teamId, message.threadId)
    return changed
  }

  async remove(caller: TeamCaller, message: QueuedId): Promise<void> {
    await removeQueued(this.#deps.database, caller, message)
    await tellThread(this.#deps, caller.teamId, message.threadId)
  }

  /** Begins a turn with the message that waits longest, unless one is under way. Never throws: what is wrong is told in the thread. */
  async sayNext(teamId: string, threadId: string): Promise<StoredTurn | undefined> {
    const { database, log, begin, isLeaving } = this.#deps
    for (;;) {
      if (isLeaving()) return undefined
      const next = await findNextQueued(database, teamId, threadId).catch(() => undefined) // the sweep finds it
      if (!next) return undefined
      try {
        const found = await findActing(database, next)
        if ('lost' in found) throw new CoherexError('forbidden', found.lost)
        const model = next.model ?? undefined
        const saying = beginSaying({ caller: found.caller, threadId, text: '', parts: next.parts, model })
        const question: Beginning['question'] = async (transaction, thread) => {
          if (!(await takeQueued(transaction, next))) throw new ThreadBusy()
          return saying.question(transaction, thread)
        }
        return await actFor(next.personId, () => begin({ ...saying, question }))
      } catch (error) {
        // whatever is under way takes it, or is followed by it
        if (error instanceof ThreadBusy) return undefined
        const problem = error instanceof CoherexError ? error.message : 'Something went wrong on the server'
        if (!(error instanceof CoherexError)) log.error({ error, threadId }, 'a queued message could not be said')
        // a server that stops leaves it to the next one
        if (isLeaving()) return undefined
        try {
          await noteProblem(database, next, problem)
          await tellThread(this.#deps, teamId, threadId)
        } catch (cause) {
          log.warn({ error: cause, threadId }, 'why a queued message could not be said was not kept')
          return undefined
        }
      }
    }
  }
}
