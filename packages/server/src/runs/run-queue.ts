import { CoherexError } from '@coherex/contract'

export interface QueueLimits {
  /** Runs at once on this machine. */
  slots: number
  /** Runs that may wait, in all and for each team. */
  waiting: number
  waitingPerTeam: number
}

export interface QueueEntry {
  teamId: string
  personId: string
  /** Runs at once that the team's quota allows. */
  teamSlots: number
  /** Does the work; the slot is free again when it settles. */
  work(): Promise<void>
}

interface TeamLine {
  running: number
  waiting: number
  /** One line for each person; people take turns, then teams do. */
  people: Map<string, QueueEntry[]>
}

/**
 * Decides what runs next. Teams take turns, and within a team its people do, so that nobody waits for another's hundred.
 * What has been accepted is never dropped; what would not fit is refused before it is accepted.
 */
export class RunQueue {
  readonly #limits: QueueLimits
  readonly #teams = new Map<string, TeamLine>()
  #running = 0
  #waiting = 0
  #closed = false

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting }
  }

  /** Throws when there is no room for another run of this team. */
  checkRoom(teamId: string): void {
    if (this.#closed) throw new CoherexError('unavailable', 'The server is stopping', { retryAfterSeconds: 5 })
    const waiting = this.#teams.get(teamId)?.waiting ?? 0
    if (waiting >= this.#limits.waitingPerTeam) {
      throw new CoherexError('quota_exceeded', `The team has ${waiting} runs waiting already`, { retryAfterSeconds: 5 })
    }
    if (this.#waiting >= this.#limits.waiting) {
      throw new CoherexError('quota_exceeded', 'The machine has too many runs waiting', { retryAfterSeconds: 5 })
    }
  }

  add(entry: QueueEntry): void {
    const team = this.#teams.get(entry.teamId) ?? { running: 0, waiting: 0, people: new Map<string, QueueEntry[]>() }
    this.#teams.set(entry.teamId, team)
    const line = team.people.get(entry.personId)
    if (line) line.push(entry)
    else team.people.set(entry.personId, [entry])
    team.waiting++
    this.#waiting++
    this.#startNext()
  }

  /** Takes an entry out that has not started; false when it has. */
  remove(entry: QueueEntry): boolean {
    const team = this.#teams.get(entry.teamId)
    const line = team?.people.get(entry.personId)
    const index = line?.indexOf(entry) ?? -1
    if (!team || !line || index < 0) return false
    line.splice(index, 1)
    if (line.length === 0) team.people.delete(entry.personId)
    team.waiting--
    this.#waiting--
    return true
  }

  /** How many entries of the team come before this one. */
  position(entry: QueueEntry): number {
    const people = this.#teams.get(entry.teamId)?.people
    const index = people?.get(entry.personId)?.indexOf(entry) ?? -1
    if (!people || index < 0) return 0
    // in each round every person gets one turn
    return [...people.values()].reduce((before, line) => before + Math.min(line.length, index), 0)
  }

  close(): void {
    this.#closed = true
  }

  #startNext(): void {
    while (this.#running < this.#limits.slots) {
      const entry = this.#takeNext()
      if (!entry) return
      const team = this.#teams.get(entry.teamId) as TeamLine
      team.running++
      this.#running++
      void entry.work().finally(() => {
        team.running--
        this.#running--
        if (team.running === 0 && team.waiting === 0) this.#teams.delete(entry.teamId)
        this.#startNext()
      })
    }
  }

  /** The next entry in turn whose team has a slot left. Whoever got a turn goes to the back. */
  #takeNext(): QueueEntry | undefined {
    for (const [teamId, team] of this.#teams) {
      const first = team.people.entries().next().value
      if (!first) continue
      const [personId, line] = first
      const entry = line[0]
      if (!entry || team.running >= entry.teamSlots) continue
      line.shift()
      team.people.delete(personId)
      if (line.length > 0) team.people.set(personId, line)
      this.#teams.delete(teamId)
      this.#teams.set(teamId, team)
      team.waiting--
      this.#waiting--
      return entry
    }
    return undefined
  }
}
