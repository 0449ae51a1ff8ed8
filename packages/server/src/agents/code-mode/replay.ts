import type { Journal, RecordedCall } from '../turn/journal.ts'

/** The program did not do what it did before: what it would do now is not what its answers were for. */
export class PathChanged extends Error {
  override readonly name = 'PathChanged'
}

/**
 * Takes a program along the path of its earlier runs. Calls have numbers in the order the program makes them, and answers
 * reach it in the order it heard them before: with a fixed clock and fixed randomness that leads to the same calls, also
 * where several are under way at once. Nothing new is done before all that is known was answered.
 */
export class Replay {
  readonly #recorded: Map<number, RecordedCall>
  readonly #answered: number[]
  readonly #arrived = new Map<number, () => void>()
  readonly #over = Promise.withResolvers<void>()
  #made = 0
  #isTelling = false

  constructor({ recorded, answered }: Pick<Journal, 'recorded' | 'answered'>) {
    this.#recorded = new Map(recorded.map((call) => [call.number, call]))
    this.#answered = [...answered]
    this.#proceed()
  }

  /** Numbers a call. Throws when it is not the one that had this number before. */
  next(tool: string, input: string): { number: number; known: RecordedCall | undefined } {
    const number = this.#made++
    const known = this.#recorded.get(number)
    if (known && (known.tool !== tool || known.input !== input)) {
      throw new PathChanged(`call ${number + 1} was ${known.tool} ${known.input}, and is now ${tool} ${input}`)
    }
    return { number, known }
  }

  /** Resolves when it is the turn of this answer. */
  async turnOf(number: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#arrived.set(number, resolve)
      this.#proceed()
    })
  }

  /** Resolves when everything that is known was answered. */
  get over(): Promise<void> {
    return this.#over.promise
  }

  /** The first known call that was not made again; undefined when all were. */
  get missing(): RecordedCall | undefined {
    return [...this.#recorded.values()].find(({ number }) => number >= this.#made)
  }

  #proceed(): void {
    if (this.#isTelling) return
    const [next] = this.#answered
    if (next === undefined) return this.#over.resolve()
    const tell = this.#arrived.get(next)
    if (!tell) return
    this.#answered.shift()
    this.#isTelling = true
    tell()
    // one at a time: each is on its way to the program before the next sets out
    setImmediate(() => {
      this.#isTelling = false
      this.#proceed()
    })
  }
}
