import type { Run } from '@coherex/contract'
import { tellOfThread, type TellDeps } from '../access/index.ts'

// lists that are open refresh by these; ten a second are plenty
const announceEveryMs = 100

/** Tells a team's open pages that runs changed, gathered so that a thousand runs are not a thousand notices. */
export class RunAnnouncer {
  readonly #deps: TellDeps
  readonly #gathered = new Map<string, Set<string>>()

  constructor(deps: TellDeps) {
    this.#deps = deps
  }

  /** Runs of a thread are told of by themselves: those who may see it are others. So are those that one person sees. */
  tell(
    teamId: string,
    {
      id,
      threadId,
      isPrivate,
      createdBy,
    }: Pick<Run, 'id' | 'threadId' | 'isPrivate'> & Partial<Pick<Run, 'createdBy'>>,
  ): void {
    const only = isPrivate && createdBy ? { only: { personId: createdBy.id, admins: false } } : {}
    const key = `${teamId} ${threadId ?? ''} ${only.only?.personId ?? ''}`
    const ids = this.#gathered.get(key)
    if (ids) {
      ids.add(id)
      return
    }
    const gathered = new Set([id])
    this.#gathered.set(key, gathered)
    setTimeout(() => {
      this.#gathered.delete(key)
      const [one] = gathered
      const event = { teamId, type: 'run', id: gathered.size === 1 && one ? one : null, ...only }
      if (threadId === undefined || isPrivate) void this.#deps.events.publish(event)
      // the database may be away: pages look again when it is back
      else void tellOfThread(this.#deps, threadId, event).catch(() => undefined)
    }, announceEveryMs).unref()
  }
}
