interface Remembered<Value> {
  value: Promise<Value | undefined>
  until: number
}

const most = 10_000

/** Remembers answers for a moment, so that a burst of the same question is asked once. Forgets everything when told to. */
export class BriefMemory<Value> {
  readonly #forMs: number
  readonly #known = new Map<string, Remembered<Value>>()

  constructor(forMs: number) {
    this.#forMs = forMs
  }

  get(key: string, ask: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.#known.get(key)
    if (known && known.until > performance.now()) return known.value
    if (this.#known.size >= most) this.#known.clear()
    const value = ask()
    const remembered = { value, until: performance.now() + this.#forMs }
    this.#known.set(key, remembered)
    const forget = () => {
      if (this.#known.get(key) === remembered) this.#known.delete(key)
    }
    // what was not found may exist in a moment, and a failure is no answer
    value.then((found) => found ?? forget(), forget)
    return value
  }

  clear(): void {
    this.#known.clear()
  }
}
