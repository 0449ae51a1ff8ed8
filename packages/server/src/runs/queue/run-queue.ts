import { CoherexError } from '@coherex/contract'

export interface QueueLimits {
  /** Runs at once on this machine. */
  slots: number
  /** Runs that may wait, in all and for each team. */
  waiting: number
  waitingPerTeam: number
  /** What those that wait may hold in memory, in all and for each team. */
  waitingBytes: number
  waitingBytesPerTeam: number
}

export interface QueueEntry {
  teamId: string
  personId: string
  /** Runs at once that the team's quota allows. */
  teamSlots: number
  /** Of entries with the same lane one works at a time; those behind it take no slot. */
  lane?: string
  /** It may call what is queued here too, and rests meanwhile. Those that do are as many as there are slots, no more. */
  isCaller?: boolean
  /** What it holds in memory while it waits. */
  bytes: number
  /** Does the work; the slot is free again when it settles. */
  work(): Promise<void>
}

interface PersonLine {
  entries: QueueEntry[]
  /** When this person last had a turn; 0 for never. */
  turn: number
}

interface TeamLine {
  running: number
  resting: number
  /** Of those that rest: they wait for what they called. */
  calling: number
  waiting: number
  waitingBytes: number
  turn: number
  people: Map<string, PersonLine>
}

/**
 * Decides what runs next. Teams take turns, and within a team its people do, so that nobody waits for another's hundred.
 * What has been accepted is never dropped; what would not fit is refused before it is accepted.
 */
export class RunQueue {
  readonly #limits: QueueLimits
  readonly #teams = new Map<string, TeamLine>()
  readonly #busyLanes = new Set<string>()
  readonly #working = new Set<QueueEntry>()
  readonly #resting = new Set<QueueEntry>()
  readonly #calling = new Set<QueueEntry>()
  /** Runs that are on their way here. */
  readonly #reserved = new Set<{ teamId: string; bytes: number }>()
  #waiting = 0
  #waitingBytes = 0
  #turns = 0
  #closed = false

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get load(): { running: number; waiting: number } {
    return { running: this.#working.size + this.#resting.size, waiting: this.#waiting }
  }

  running(teamId: string): number {
    const { running = 0, resting = 0 } = this.#teams.get(teamId) ?? {}
    return running + resting
  }

  /**
   * Keeps a place for a run of this team until it is added or given up; throws when there is none. Between the two it is recorded, and all
   * that came meanwhile would find the same room.
   */
  reserve(teamId: string, bytes: number): () => void {
    if (this.#closed) throw new CoherexError('unavailable', 'The server is stopping', { retryAfterSeconds: 5 })
    const limits = this.#limits
    const all = [...this.#reserved]
    const own = all.filter((one) => one.teamId === teamId)
    const team = this.#teams.get(teamId)
    const waiting = (team?.waiting ?? 0) + own.length
    if (waiting >= limits.waitingPerTeam) throw full(`The team has ${waiting} runs waiting already`)
    if (this.#waiting + all.length >= limits.waiting) throw full('The machine has too many runs waiting')
    // one that finds nobody waiting is taken whatever its size: that has a limit of its own
    if (waiting > 0 && (team?.waitingBytes ?? 0) + bytesOf(own) + bytes > limits.waitingBytesPerTeam)
      throw full(`The team has ${waiting} runs waiting already, and their programs are large`)
    if (waiting > 0 && this.#waitingBytes + bytesOf(all) + bytes > limits.waitingBytes)
      throw full('The machine has too many large runs waiting')
    const place = { teamId, bytes }
    this.#reserved.add(place)
    return () => void this.#reserved.delete(place)
  }

  add(entry: QueueEntry): void {
    const team = this.#teams.get(entry.teamId) ?? {
      running: 0,
      resting: 0,
      calling: 0,
      waiting: 0,
      waitingBytes: 0,
      turn: 0,
      people: new Map<string, PersonLine>(),
    }
    this.#teams.set(entry.teamId, team)
    const line = team.people.get(entry.personId) ?? { entries: [], turn: 0 }
    team.people.set(entry.personId, line)
    line.entries.push(entry)
    this.#count(team, entry, 1)
    this.#startNext()
  }

  /** Takes an entry out that has not started; false when it has. */
  remove(entry: QueueEntry): boolean {
    const team = this.#teams.get(entry.teamId)
    const line = team?.people.get(entry.personId)
    const index = line?.entries.indexOf(entry) ?? -1
    if (!team || !line || index < 0) return false
    line.entries.splice(index, 1)
    this.#count(team, entry, -1)
    return true
  }

  /** Runs of a team that have begun and given their slots away. */
  resting(teamId: string): number {
    return this.#teams.get(teamId)?.resting ?? 0
  }

  /** A run waits for what it called, or for its packages: its slot is free meanwhile. */
  rest(entry: QueueEntry, waitsFor: 'call' | 'packages' = 'call'): void {
    const team = this.#teams.get(entry.teamId)
    if (!team || !this.#working.delete(entry)) return
    this.#resting.add(entry)
    team.running--
    team.resting++
    if (waitsFor === 'call') {
      this.#calling.add(entry)
      team.calling++
    }
    this.#startNext()
  }

  #leaveRest(team: TeamLine, entry: QueueEntry): boolean {
    if (!this.#resting.delete(entry)) return false
    team.resting--
    if (this.#calling.delete(entry)) team.calling--
    return true
  }

  /** It goes on, at once: it works little, and whoever has its slot keeps it. */
  wake(entry: QueueEntry): void {
    const team = this.#teams.get(entry.teamId)
    if (!team || !this.#leaveRest(team, entry)) return
    this.#working.add(entry)
    team.running++
  }

  /** How many entries of the team come before this one. */
  position(entry: QueueEntry): number {
    const people = this.#teams.get(entry.teamId)?.people
    const index = people?.get(entry.personId)?.entries.indexOf(entry) ?? -1
    if (!people || index < 0) return 0
    // in each round every person gets one turn
    return [...people.values()].reduce((before, { entries }) => before + Math.min(entries.length, index), 0)
  }

  close(): void {
    this.#closed = true
  }

  #startNext(): void {
    while (this.#working.size < this.#limits.slots) {
      const entry = this.#takeNext()
      if (!entry) return
      const team = this.#teams.get(entry.teamId) as TeamLine
      team.running++
      this.#working.add(entry)
      if (entry.lane !== undefined) this.#busyLanes.add(entry.lane)
      void entry.work().finally(() => {
        if (entry.lane !== undefined) this.#busyLanes.delete(entry.lane)
        if (this.#working.delete(entry)) team.running--
        else this.#leaveRest(team, entry)
        if (team.running + team.resting + team.waiting === 0) this.#teams.delete(entry.teamId)
        this.#startNext()
      })
    }
  }

  /** The first entry of whoever has waited longest for a turn, among teams that have a slot left. */
  #takeNext(): QueueEntry | undefined {
    const teams = [...this.#teams.values()].filter((team) => {
      const person = this.#nextPerson(team)
      const entry = person && this.#nextEntry(team, person)
      return entry && team.running < entry.teamSlots
    })
    const team = longestWithoutTurn(teams)
    const person = team && this.#nextPerson(team)
    const entry = team && person && this.#nextEntry(team, person)
    if (!team || !person || !entry) return undefined
    person.entries.splice(person.entries.indexOf(entry), 1)
    team.turn = person.turn = ++this.#turns
    this.#count(team, entry, -1)
    return entry
  }

  #count(team: TeamLine, { bytes }: QueueEntry, by: 1 | -1): void {
    team.waiting += by
    team.waitingBytes += by * bytes
    this.#waiting += by
    this.#waitingBytes += by * bytes
  }

  #nextPerson(team: TeamLine): PersonLine | undefined {
    return longestWithoutTurn([...team.people.values()].filter((one) => this.#nextEntry(team, one) !== undefined))
  }

  /** The first entry whose lane is free. Callers are passed over where too many rest: what they called comes first. */
  #nextEntry(team: TeamLine, { entries }: PersonLine): QueueEntry | undefined {
    const isFull = this.#working.size + this.#calling.size >= this.#limits.slots
    const mayStart = ({ isCaller, teamSlots }: QueueEntry) =>
      !isCaller || (!isFull && team.running + team.calling < teamSlots)
    const isFree = (lane: string | undefined) => lane === undefined || !this.#busyLanes.has(lane)
    return entries.find((entry) => isFree(entry.lane) && mayStart(entry))
  }
}

const bytesOf = (places: { bytes: number }[]) => places.reduce((sum, { bytes }) => sum + bytes, 0)

const full = (message: string) => new CoherexError('quota_exceeded', message, { retryAfterSeconds: 5 })

function longestWithoutTurn<Line extends { turn: number }>(lines: Line[]): Line | undefined {
  return lines.reduce<Line | undefined>((first, one) => (first && first.turn <= one.turn ? first : one), undefined)
}
