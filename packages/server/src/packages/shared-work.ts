export interface Joining {
  /** Whose work it is: no team takes the machine's for itself. */
  teamId: string
  signal: AbortSignal
  onProgress?: ((line: string) => void) | undefined
}

interface Work<Result> {
  result: Promise<Result>
  abort: AbortController
  lines: Set<(line: string) => void>
  joined: number
  last: string | undefined
}

const mostAtOnce = 6
const mostOfTeam = 3

/** Work that several wait for is done once. It is given up when the last of them has left. */
export class SharedWork<Result> {
  readonly #works = new Map<string, Work<Result>>()
  readonly #waiting: { teamId: string; begin(): void }[] = []
  readonly #atWork = new Map<string, number>()

  async join(
    key: string,
    { teamId, signal, onProgress }: Joining,
    start: (signal: AbortSignal, tell: (line: string) => void) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted()
    const work = this.#works.get(key) ?? this.#begin(key, teamId, start)
    work.joined++
    if (onProgress) work.lines.add(onProgress)
    if (onProgress && work.last !== undefined) onProgress(work.last)
    const left = Promise.withResolvers<never>()
    const leave = () => left.reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([work.result, left.promise])
    } finally {
      signal.removeEventListener('abort', leave)
      if (onProgress) work.lines.delete(onProgress)
      if (--work.joined === 0) {
        work.abort.abort(new Error('nobody waits for it any more'))
        if (this.#works.get(key) === work) this.#works.delete(key)
      }
    }
  }

  #begin(
    key: string,
    teamId: string,
    start: (signal: AbortSignal, tell: (line: string) => void) => Promise<Result>,
  ): Work<Result> {
    const abort = new AbortController()
    const lines = new Set<(line: string) => void>()
    const tell = (line: string) => {
      work.last = line
      for (const one of lines) one(line)
    }
    const result = this.#takeTurn(teamId, abort.signal).then(async () => {
      try {
        return await start(abort.signal, tell)
      } finally {
        this.#endTurn(teamId)
      }
    })
    const work: Work<Result> = { result, abort, lines, joined: 0, last: undefined }
    this.#works.set(key, work)
    const forget = () => {
      if (this.#works.get(key) === work) this.#works.delete(key)
    }
    result.then(forget, forget)
    return work
  }

  #takeTurn(teamId: string, signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>()
    const entry = { teamId, begin: () => turn.resolve() }
    this.#waiting.push(entry)
    const leave = () => {
      const at = this.#waiting.indexOf(entry)
      if (at < 0) return
      this.#waiting.splice(at, 1)
      turn.reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    this.#next()
    return turn.promise
  }

  #endTurn(teamId: string): void {
    const left = (this.#atWork.get(teamId) ?? 1) - 1
    if (left > 0) this.#atWork.set(teamId, left)
    else this.#atWork.delete(teamId)
    this.#next()
  }

  #next(): void {
    const busy = [...this.#atWork.values()].reduce((sum, one) => sum + one, 0)
    if (busy >= mostAtOnce) return
    const at = this.#waiting.findIndex(({ teamId }) => (this.#atWork.get(teamId) ?? 0) < mostOfTeam)
    const [entry] = at < 0 ? [] : this.#waiting.splice(at, 1)
    if (!entry) return
    this.#atWork.set(entry.teamId, (this.#atWork.get(entry.teamId) ?? 0) + 1)
    entry.begin()
    this.#next()
  }
}
