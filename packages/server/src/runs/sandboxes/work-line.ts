/** Work on one thing, one after the other. */
export class WorkLine {
  readonly #tails = new Map<string, Promise<unknown>>()

  add<T>(id: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#tails.get(id) ?? Promise.resolve()).then(work, work)
    const tail = done
      .catch(() => undefined) // told to whoever asked for it
      .finally(() => {
        if (this.#tails.get(id) === tail) this.#tails.delete(id)
      })
    this.#tails.set(id, tail)
    return done
  }
}
