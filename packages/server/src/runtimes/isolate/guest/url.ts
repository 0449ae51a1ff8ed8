import type { Host } from './host.ts'
import { URLSearchParams } from './url-search-params.ts'

interface Parts {
  href: string
  origin: string
  protocol: string
  username: string
  password: string
  host: string
  hostname: string
  port: string
  pathname: string
  search: string
  hash: string
}

/** The WHATWG URL. Parsing is the child's, which has Node's parser; a URL here is its parts. */
export function createUrl(host: Pick<Host, 'parseUrl' | 'changeUrl'>) {
  const parse = (url: unknown, base: unknown): Parts | undefined => {
    const parts = host.parseUrl(String(url), base === undefined ? undefined : String(base))
    return parts === undefined ? undefined : (JSON.parse(parts) as Parts)
  }

  return class URL {
    #parts: Parts
    #params: URLSearchParams | undefined

    constructor(url: unknown, base?: unknown) {
      const parts = parse(url, base)
      if (!parts) throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input: String(url) })
      this.#parts = parts
    }

    static canParse(url: unknown, base?: unknown): boolean {
      return parse(url, base) !== undefined
    }

    static parse(url: unknown, base?: unknown): URL | null {
      return URL.canParse(url, base) ? new URL(url, base) : null
    }

    #change(part: keyof Parts, value: unknown): void {
      this.#parts = JSON.parse(host.changeUrl(this.#parts.href, part, String(value))) as Parts
    }

    get href(): string {
      return this.#parts.href
    }

    set href(value: string) {
      this.#parts = new URL(value).#parts
      if (this.#params) URLSearchParams.replace(this.#params, this.#parts.search)
    }

    get origin(): string {
      return this.#parts.origin
    }

    get protocol(): string {
      return this.#parts.protocol
    }

    set protocol(value: string) {
      this.#change('protocol', value)
    }

    get username(): string {
      return this.#parts.username
    }

    set username(value: string) {
      this.#change('username', value)
    }

    get password(): string {
      return this.#parts.password
    }

    set password(value: string) {
      this.#change('password', value)
    }

    get host(): string {
      return this.#parts.host
    }

    set host(value: string) {
      this.#change('host', value)
    }

    get hostname(): string {
      return this.#parts.hostname
    }

    set hostname(value: string) {
      this.#change('hostname', value)
    }

    get port(): string {
      return this.#parts.port
    }

    set port(value: string) {
      this.#change('port', value)
    }

    get pathname(): string {
      return this.#parts.pathname
    }

    set pathname(value: string) {
      this.#change('pathname', value)
    }

    get search(): string {
      return this.#parts.search
    }

    set search(value: string) {
      this.#change('search', value)
      if (this.#params) URLSearchParams.replace(this.#params, this.#parts.search)
    }

    get searchParams(): URLSearchParams {
      this.#params ??= new URLSearchParams(this.#parts.search, (query) => this.#change('search', query))
      return this.#params
    }

    get hash(): string {
      return this.#parts.hash
    }

    set hash(value: string) {
      this.#change('hash', value)
    }

    toString(): string {
      return this.#parts.href
    }

    toJSON(): string {
      return this.#parts.href
    }

    get [Symbol.toStringTag](): string {
      return 'URL'
    }

    [Symbol.for('nodejs.util.inspect.custom')](
      _depth: number,
      _options: object,
      inspect: (value: unknown) => string,
    ): string {
      const { hash, ...parts } = this.#parts
      return `URL ${inspect({ ...parts, searchParams: this.searchParams, hash })}`
    }
  }
}

export type UrlClass = ReturnType<typeof createUrl>
