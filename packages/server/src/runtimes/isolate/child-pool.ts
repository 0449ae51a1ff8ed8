import { IsolateChild } from './isolate-child.ts'

export interface PoolOptions {
  launch: () => Promise<IsolateChild>
  /** Children ready for a domain that has none. */
  spares: number
  maxChildren: number
  /** Runs at once of one domain that get a child without waiting for one of its own to come free. */
  eagerPerDomain: number
  maxRuns: number
  /** A child that has had nothing to do for so long is let go. */
  idleMs: number
}

interface Waiter {
  domain: string
  resolve: (child: IsolateChild) => void
  reject: (error: unknown) => void
  timer?: NodeJS.Timeout
}

// two runs of a busy domain usually fit into one child sooner than a new child could be started
const patienceMs = 20

/** Children by trust domain. A child serves one domain for its whole life; spares have served none. */
export class ChildPool {
  readonly #options: PoolOptions
  readonly #idle = new Set<IsolateChild>()
  readonly #busy = new Set<IsolateChild>()
  readonly #waiting = new Set<Waiter>()
  readonly #ending = new Set<Promise<unknown>>()
  #starting = 0
  #isClosed = false
  #toppingUp: Promise<void> | undefined
  readonly #sweeper: NodeJS.Timeout
  lastFailure: string | undefined

  constructor(options: PoolOptions) {
    this.#options = options
    this.#sweeper = setInterval(() => this.#sweep(), Math.max(1000, options.idleMs / 4)).unref()
  }

  get size(): number {
    return this.#idle.size + this.#busy.size + this.#starting
  }

  async acquire(domain: string, signal: AbortSignal): Promise<IsolateChild> {
    signal.throwIfAborted()
    const own = this.#pickIdle(domain)
    if (own) return this.#take(own, domain)
    const isPatient = [...this.#busy].filter((child) => child.domain === domain).length >= this.#options.eagerPerDomain
    const spare = isPatient ? undefined : this.#pickIdle(undefined)
    if (spare) return this.#take(spare, domain)

    return new Promise((resolve, reject) => {
      const waiter: Waiter = { domain, resolve, reject }
      this.#waiting.add(waiter)
      signal.addEventListener('abort', () => this.#drop(waiter) && reject(signal.reason), { once: true })
      if (isPatient) waiter.timer = setTimeout(() => this.#serve(waiter), patienceMs)
      else this.#serve(waiter)
    })
  }

  /** Gives a child back after its run. */
  release(child: IsolateChild, isReusable: boolean): void {
    this.#busy.delete(child)
    child.lastUsed = performance.now()
    if (!isReusable || child.isDead || this.#isClosed || child.runs >= this.#options.maxRuns) this.#end(child)
    else {
      const waiter = [...this.#waiting].find(({ domain }) => domain === child.domain)
      if (waiter && this.#drop(waiter)) return waiter.resolve(this.#take(child, waiter.domain))
      this.#idle.add(child)
    }
    // room for a domain that was held back by the number of children
    const next = [...this.#waiting].find((waiter) => !waiter.timer)
    if (next) this.#serve(next)
    void this.topUp()
    return undefined
  }

  /** Starts spares until there are enough, one at a time: a burst of starts would take the cores from running guests. */
  topUp(): Promise<void> {
    this.#toppingUp ??= this.#startSpares().finally(() => (this.#toppingUp = undefined))
    return this.#toppingUp
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#sweeper)
    for (const waiter of [...this.#waiting]) {
      this.#drop(waiter)
      waiter.reject(new Error('The runtime is closed'))
    }
    await this.#toppingUp
    for (const child of [...this.#idle, ...this.#busy]) this.#end(child)
    while (this.#starting > 0 || this.#ending.size > 0) {
      await Promise.all([...this.#ending, new Promise((resolve) => setTimeout(resolve, 5))])
    }
  }

  #take(child: IsolateChild, domain: string): IsolateChild {
    this.#idle.delete(child)
    this.#busy.add(child)
    child.domain = domain
    child.runs++
    void this.topUp()
    return child
  }

  #pickIdle(domain: string | undefined): IsolateChild | undefined {
    const own = [...this.#idle].filter((child) => child.domain === domain && !child.isDead)
    return own.find((child) => child.isReady) ?? own[0]
  }

  /** Finds or makes a child for a domain that has no free one. */
  #serve(waiter: Waiter): void {
    delete waiter.timer
    if (!this.#waiting.has(waiter)) return
    const spare = this.#pickIdle(undefined)
    if (spare) {
      this.#drop(waiter)
      return waiter.resolve(this.#take(spare, waiter.domain))
    }
    if (this.size >= this.#options.maxChildren && !this.#evict()) return
    this.#start().then(
      (child) => {
        if (this.#waiting.has(waiter)) {
          this.#drop(waiter)
          waiter.resolve(this.#take(child, waiter.domain))
        } else this.#offer(child)
      },
      (error: unknown) => this.#drop(waiter) && waiter.reject(error),
    )
  }

  /** A new child whose waiter was served meanwhile: whoever waits next, else a spare. */
  #offer(child: IsolateChild): void {
    const [waiter] = this.#waiting
    if (!waiter) return void this.#idle.add(child)
    this.#drop(waiter)
    return waiter.resolve(this.#take(child, waiter.domain))
  }

  #evict(): boolean {
    const [oldest] = [...this.#idle]
      .filter((child) => child.domain !== undefined)
      .sort((a, b) => a.lastUsed - b.lastUsed)
    if (oldest) this.#end(oldest)
    return oldest !== undefined
  }

  async #start(): Promise<IsolateChild> {
    this.#starting++
    try {
      const child = await this.#options.launch()
      this.lastFailure = undefined
      void child.ended.then(() => this.#idle.delete(child))
      if (this.#isClosed) {
        this.#end(child)
        throw new Error('The runtime is closed')
      }
      return child
    } catch (error) {
      this.lastFailure = error instanceof Error ? error.message : String(error)
      throw error
    } finally {
      this.#starting--
    }
  }

  async #startSpares(): Promise<void> {
    const { spares, maxChildren } = this.#options
    const missing = () => [...this.#idle].filter((child) => child.domain === undefined).length < spares
    while (!this.#isClosed && missing() && (this.size < maxChildren || this.#evict())) {
      try {
        this.#offer(await this.#start())
      } catch {
        // said by health() through lastFailure; the next run tries again
        return
      }
    }
  }

  #sweep(): void {
    const longAgo = performance.now() - this.#options.idleMs
    for (const child of [...this.#idle]) if (child.domain !== undefined && child.lastUsed < longAgo) this.#end(child)
  }

  #end(child: IsolateChild): void {
    this.#idle.delete(child)
    this.#busy.delete(child)
    const ended = child.kill().finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
  }

  #drop(waiter: Waiter): boolean {
    clearTimeout(waiter.timer)
    return this.#waiting.delete(waiter)
  }
}
