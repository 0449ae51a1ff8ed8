/** How long a stop waits for its turn: longer than it takes to go on after its server was lost. */
const keptMs = 60_000
const mostKept = 1_000

/**
 * Stops of turns that this process does not work on, and may the next moment: a turn is known to run before whoever took it
 * has loaded it, and one whose server was lost goes on elsewhere.
 */
export class EarlyStops {
  readonly #stops = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  keep(turnId: string): void {
    const now = this.#now()
    for (const [id, until] of this.#stops) {
      if (until > now && this.#stops.size < mostKept) break // the oldest come first
      this.#stops.delete(id)
    }
    this.#stops.delete(turnId)
    this.#stops.set(turnId, now + keptMs)
  }

  /** Whether the turn is to stop before it goes on; asked once. */
  take(turnId: string): boolean {
    const until = this.#stops.get(turnId)
    this.#stops.delete(turnId)
    return until !== undefined && until > this.#now()
  }
}
