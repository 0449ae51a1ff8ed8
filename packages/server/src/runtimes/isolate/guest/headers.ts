type Init = Iterable<readonly [string, string]> | Record<string, string> | undefined | null

/** Header names are compared without case; several values of one name are joined, except set-cookie. */
export class Headers {
  #pairs: [string, string][] = []

  constructor(init?: Init) {
    if (!init) return
    const pairs = Symbol.iterator in init ? init : Object.entries(init)
    for (const [name, value] of pairs) this.append(name, value)
  }

  append(name: string, value: string): void {
    this.#pairs.push([checkName(name), checkValue(value)])
  }

  set(name: string, value: string): void {
    this.delete(name)
    this.append(name, value)
  }

  delete(name: string): void {
    const key = checkName(name)
    this.#pairs = this.#pairs.filter(([held]) => held !== key)
  }

  get(name: string): string | null {
    const key = checkName(name)
    const values = this.#pairs.filter(([held]) => held === key).map(([, value]) => value)
    return values.length === 0 ? null : values.join(', ')
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }

  getSetCookie(): string[] {
    return this.#pairs.filter(([held]) => held === 'set-cookie').map(([, value]) => value)
  }

  forEach(callback: (value: string, name: string, headers: this) => void, thisArg?: unknown): void {
    for (const [name, value] of this) callback.call(thisArg, value, name, this)
  }

  *entries(): IterableIterator<[string, string]> {
    const names = [...new Set(this.#pairs.map(([name]) => name))].sort()
    for (const name of names) {
      if (name === 'set-cookie') for (const value of this.getSetCookie()) yield [name, value]
      else yield [name, this.get(name)!]
    }
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this.entries()) yield value
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }

  get [Symbol.toStringTag](): string {
    return 'Headers'
  }

  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    _options: object,
    inspect: (value: unknown) => string,
  ): string {
    return `Headers ${inspect(Object.fromEntries(this))}`
  }
}

function checkName(name: string): string {
  const text = String(name)
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(text)) throw new TypeError(`Headers: "${text.slice(0, 100)}" is not a header name`)
  return text.toLowerCase()
}

function checkValue(value: string): string {
  const text = String(value).trim()
  if (/[\0\r\n]/.test(text)) throw new TypeError('Headers: a value must not have line breaks')
  return text
}
