import type { EventBus } from '../base/index.ts'

// lists that are open refresh by these; ten a second are plenty
const announceEveryMs = 100

/** Tells a team's open pages that runs changed, gathered so that a thousand runs are not a thousand notices. */
export class RunAnnouncer {
  readonly #events: Pick<EventBus, 'publish'>
  readonly #gathered = new Map<string, Set<string>>()

  constructor(events: Pick<EventBus, 'publish'>) {
    this.#events = events
  }

  tell(teamId: string, id: string): void {
    const ids = this.#gathered.get(teamId)
    if (ids) {
      ids.add(id)
      return
    }
    const gathered = new Set([id])
    this.#gathered.set(teamId, gathered)
    setTimeout(() => {
      this.#gathered.delete(teamId)
      const [only] = gathered
      void this.#events.publish({ teamId, type: 'run', id: gathered.size === 1 && only ? only : null })
    }, announceEveryMs).unref()
  }
}
