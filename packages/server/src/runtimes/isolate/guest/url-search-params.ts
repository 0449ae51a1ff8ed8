import { decodeUtf8, encodeUtf8 } from './text-coding.ts'

type Init = string | [string, string][] | Record<string, string> | URLSearchParams | undefined

export class URLSearchParams {
  #pairs: [string, string][] = []
  #changed: ((query: string) => void) | undefined

  constructor(init?: Init, changed?: (query: string) => void) {
    this.#changed = changed
    if (init === undefined || init === null) return
    if (typeof init === 'object' && Symbol.iterator in init) {
      for (const pair of init) {
        if (pair.length !== 2) throw new TypeError('URLSearchParams: each pair must have two items')
        this.#pairs.push([String(pair[0]), String(pair[1])])
      }
    } else if (typeof init === 'object') {
      for (const [name, value] of Object.entries(init)) this.#pairs.push([name, String(value)])
    } else this.#parse(String(init))
  }

  /** Called by the URL that owns these parameters when its query was set. */
  static replace(params: URLSearchParams, query: string): void {
    params.#pairs = []
    params.#parse(query)
  }

  #parse(query: string): void {
    for (const part of query.replace(/^\?/, '').split('&')) {
      if (part === '') continue
      const at = part.indexOf('=')
      this.#pairs.push(at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))])
    }
  }

  #update(): void {
    this.#changed?.(this.toString())
  }

  get size(): number {
    return this.#pairs.length
  }

  append(name: string, value: string): void {
    this.#pairs.push([String(name), String(value)])
    this.#update()
  }

  delete(name: string, value?: string): void {
    this.#pairs = this.#pairs.filter(
      ([key, held]) => key !== String(name) || (value !== undefined && held !== String(value)),
    )
    this.#update()
  }

  get(name: string): string | null {
    return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null
  }

  getAll(name: string): string[] {
    return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value)
  }

  has(name: string, value?: string): boolean {
    return this.#pairs.some(([key, held]) => key === String(name) && (value === undefined || held === String(value)))
  }

  set(name: string, value: string): void {
    const at = this.#pairs.findIndex(([key]) => key === String(name))
    if (at < 0) this.#pairs.push([String(name), String(value)])
    else {
      this.#pairs[at] = [String(name), String(value)]
      this.#pairs = this.#pairs.filter(([key], index) => index <= at || key !== String(name))
    }
    this.#update()
  }

  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    this.#update()
  }

  forEach(callback: (value: string, name: string, params: this) => void, thisArg?: unknown): void {
    for (const [name, value] of this.#pairs) callback.call(thisArg, value, name, this)
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.#pairs) yield name
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this.#pairs) yield value
  }

  *entries(): IterableIterator<[string, string]> {
    for (const pair of this.#pairs) yield [pair[0], pair[1]]
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }

  toString(): string {
    return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  }

  get [Symbol.toStringTag](): string {
    return 'URLSearchParams'
  }

  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    _options: object,
    inspect: (value: unknown) => string,
  ): string {
    const pairs = this.#pairs.map(([name, value]) => `${inspect(name)} => ${inspect(value)}`)
    return pairs.length === 0 ? 'URLSearchParams {}' : `URLSearchParams { ${pairs.join(', ')} }`
  }
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  const bytes = encodeUtf8(spaced)
  const decoded: number[] = []
  for (let at = 0; at < bytes.length; at++) {
    const hex = bytes[at] === 37 ? String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0) : ''
    if (/^[\da-fA-F]{2}$/.test(hex)) {
      decoded.push(parseInt(hex, 16))
      at += 2
    } else decoded.push(bytes[at]!)
  }
  return decodeUtf8(new Uint8Array(decoded)).text
}

function encode(text: string): string {
  let encoded = ''
  for (const byte of encodeUtf8(text)) {
    const character = String.fromCharCode(byte)
    if (/[\w*.-]/.test(character)) encoded += character
    else encoded += byte === 32 ? '+' : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`
  }
  return encoded
}
