import { IsolateChild } from './isolate-child.ts'

export interface PoolOptions {
  launch: () => Promise<IsolateChild>
  /** Children ready for a domain that has none. */
  spares: number
  maxChildren: number
  /** A domain with this many children at work waits for one of them rather than take another spare. */
  widthPerDomain: number
  maxRuns: number
  /** A child that has had nothing to do for so long is let go. */
  idleMs: number
}

interface Waiter {
  domain: string
  resolve: (child: IsolateChild) => void
  reject: (error: unknown) => void
  timer?: NodeJS.Timeout
  /** Its domain's children did not come free in time. */
  isImpatient?: boolean
}

// a busy domain's next child usually comes free sooner than a new one could be started
const patienceMs = 50

// a child that runs for one domain several times in a row finds its memory still in the processor's caches
const longestStreak = 4

// to make room for spares only children are let go that nobody seems to come back for
const restMs = 2000

// nobody sends runs to a pool that says it cannot start any, so it has to find out by itself
const pauseAfterFailureMs = 1000

/** Children by trust domain. A child serves one domain for its whole life; spares have served none. */
export class ChildPool {
  readonly #options: PoolOptions
  readonly #idle = new Set<IsolateChild>()
  readonly #busy = new Set<IsolateChild>()
  readonly #waiting = new Set<Waiter>()
  readonly #ending = new Set<Promise<unknown>>()
  /** When a child of a domain last came free. */
  readonly #lastFree = new Map<string, number>()
  #starting = 0
  #isClosed = false
  #toppingUp: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  readonly #sweeper: NodeJS.Timeout
  lastFailure: string | undefined

  constructor(options: PoolOptions) {
    this.#options = options
    this.#sweeper = setInterval(() => this.#sweep(), Math.max(1000, options.idleMs / 4)).unref()
  }

  get size(): number {
    return this.#idle.size + this.#busy.size + this.#starting
  }

  /** A child that ran a program of this key last is taken before others. */
  async acquire(domain: string, signal: AbortSignal, key?: string): Promise<IsolateChild> {
    signal.throwIfAborted()
    const { widthPerDomain } = this.#options
    const busy = [...this.#busy].filter((child) => child.domain === domain).length
    // as many as there are cores do the work of more, as long as they keep coming free
    const isCycling = this.#isFull() || (busy >= widthPerDomain && this.#wasFreeLately(domain))
    const found = isCycling ? undefined : (this.#pickKey(domain, key) ?? this.#pick(domain, busy))
    if (found) return this.#take(found, domain)

    return new Promise((resolve, reject) => {
      const waiter: Waiter = { domain, resolve, reject }
      this.#waiting.add(waiter)
      signal.addEventListener('abort', () => this.#drop(waiter) && reject(signal.reason), { once: true })
      if (busy > 0 || (isCycling && this.#pick(domain, busy))) this.#bePatient(waiter)
      else this.#grow()
    })
  }

  /** A child that may take a run of this domain now. */
  #pick(domain: string, busy: number): IsolateChild | undefined {
    const { widthPerDomain } = this.#options
    const own = this.#pickIdle(domain)
    if (own?.isReady) return own
    if (own) return this.#pickSecond(domain) ?? own
    const mayWiden = busy === 0 || (busy < widthPerDomain && this.#busy.size < widthPerDomain)
    return mayWiden ? this.#pickIdle(undefined) : undefined
  }

  /** Whether short runs keep all cores busy. Those that go on for longer mostly wait for something, and count no more. */
  #isFull(): boolean {
    const lately = performance.now() - patienceMs
    let short = 0
    for (const child of this.#busy) if (child.takenAt > lately) short++
    return short > this.#options.widthPerDomain
  }

  /** While a domain's child makes its next isolate, a second one can run on the other core, if that has nothing to do. */
  #pickSecond(domain: string): IsolateChild | undefined {
    const { widthPerDomain } = this.#options
    const count = [...this.#idle, ...this.#busy].filter((child) => child.domain === domain).length
    // making an isolate keeps a core busy as a run does
    const making = [...this.#idle].filter((child) => !child.isReady).length
    return count < widthPerDomain && this.#busy.size + making < widthPerDomain ? this.#pickIdle(undefined) : undefined
  }

  /** Waits while children of the domain keep coming free; when they all hang in long runs, another one is due. */
  #bePatient(waiter: Waiter): void {
    waiter.timer = setTimeout(() => {
      if (this.#isFull() || this.#wasFreeLately(waiter.domain)) this.#bePatient(waiter)
      else {
        delete waiter.timer
        waiter.isImpatient = true
        this.#grow()
      }
    }, patienceMs)
  }

  #wasFreeLately(domain: string): boolean {
    return performance.now() - (this.#lastFree.get(domain) ?? -Infinity) < patienceMs
  }

  /** Gives a child back after its run. */
  release(child: IsolateChild, isReusable: boolean): void {
    this.#busy.delete(child)
    child.lastUsed = performance.now()
    if (child.domain !== undefined) this.#lastFree.set(child.domain, child.lastUsed)
    if (!isReusable || child.isDead || this.#isClosed || child.runs >= this.#options.maxRuns) this.#end(child)
    else this.#keep(child)
    this.#serveNext(child)
    // there may be room now for a domain that was held back by the number of children
    this.#grow()
    void this.topUp()
  }

  /** The next run is one of the domain that was served longest ago, unless the one just served has not had its streak. */
  #serveNext(child: IsolateChild): void {
    const served = ({ domain }: Waiter) => this.#lastFree.get(domain) ?? -Infinity
    const waiting = [...this.#waiting].sort((a, b) => served(a) - served(b))
    const same = waiting.find(({ domain }) => domain === child.domain)
    const order = same && child.streak < longestStreak ? [same, ...waiting] : waiting
    for (const waiter of order) {
      const busy = [...this.#busy].filter((one) => one.domain === waiter.domain).length
      const found = this.#pick(waiter.domain, busy)
      if (!found) continue
      this.#drop(waiter)
      if (found !== child) child.streak = 0
      return waiter.resolve(this.#take(found, waiter.domain))
    }
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
    clearTimeout(this.#retry)
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

  #keep(child: IsolateChild): void {
    child.isWarm = true
    this.#idle.add(child)
  }

  #take(child: IsolateChild, domain: string): IsolateChild {
    this.#idle.delete(child)
    this.#busy.add(child)
    child.domain = domain
    child.takenAt = performance.now()
    child.runs++
    child.streak++
    void this.topUp()
    return child
  }

  #pickKey(domain: string, key: string | undefined): IsolateChild | undefined {
    if (key === undefined) return undefined
    return [...this.#idle].find(
      (child) => child.domain === domain && child.lastKey === key && child.isReady && !child.isDead,
    )
  }

  #pickIdle(domain: string | undefined): IsolateChild | undefined {
    const own = [...this.#idle].filter((child) => child.domain === domain && !child.isDead)
    return own.find((child) => child.isReady) ?? own[0]
  }

  /** Starts children for those who wait in vain: one for each domain that has none, and one for each waiter after its patience. */
  #grow(): void {
    for (const waiter of [...this.#waiting]) {
      if (waiter.timer) continue
      const free = this.#pickIdle(waiter.domain) ?? this.#pickIdle(undefined)
      if (free) this.#give(waiter, free)
    }
    const left = [...this.#waiting].filter((waiter) => !waiter.timer)
    const fresh = new Set(left.flatMap(({ domain, isImpatient }) => (isImpatient ? [] : domain)))
    const missing = fresh.size + left.filter(({ isImpatient }) => isImpatient).length - this.#starting
    for (let count = 0; count < missing; count++) {
      if (this.size >= this.#options.maxChildren && !this.#evict()) return
      this.#start().then(
        (child) => this.#offer(child),
        (error: unknown) => this.#refuse(error),
      )
    }
  }

  /** A child does not come: one of those who wait for it is told, and all of them where none other is on its way. */
  #refuse(error: unknown): void {
    const inVain = [...this.#waiting].filter(({ timer }) => !timer)
    for (const waiter of this.#starting > 0 ? inVain.slice(0, 1) : inVain) {
      this.#drop(waiter)
      waiter.reject(error)
    }
  }

  /** A new child goes to whoever waits in vain, else it is a spare. */
  #offer(child: IsolateChild): void {
    // those who are patient wait for a child of their own domain; a spare would be gone for nothing
    const waiter = [...this.#waiting].find(({ timer }) => !timer)
    return waiter ? this.#give(waiter, child) : this.#keep(child)
  }

  #give(waiter: Waiter, child: IsolateChild): void {
    this.#drop(waiter)
    // a short run gives the child on to the next sooner than another could be started
    for (const next of this.#waiting) {
      if (next.domain === waiter.domain && !next.timer && !next.isImpatient) this.#bePatient(next)
    }
    waiter.resolve(this.#take(child, waiter.domain))
  }

  #evict(idleMs = 0): boolean {
    const before = performance.now() - idleMs
    const [oldest] = [...this.#idle]
      .filter((child) => child.domain !== undefined && child.lastUsed <= before)
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
      this.#tryLater()
      throw error
    } finally {
      this.#starting--
    }
  }

  #tryLater(): void {
    if (this.#isClosed) return
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined
      if (this.lastFailure === undefined) return
      // without a place for it there are others, and this looks again when they may be gone
      if (this.size >= this.#options.maxChildren) return this.#tryLater()
      this.#start().then(
        (child) => {
          this.#offer(child)
          void this.topUp()
        },
        (error: unknown) => this.#refuse(error),
      )
    }, pauseAfterFailureMs).unref()
  }

  async #startSpares(): Promise<void> {
    const { spares, maxChildren } = this.#options
    const missing = () => [...this.#idle].filter((child) => child.domain === undefined).length < spares
    while (!this.#isClosed && missing() && (this.size < maxChildren || this.#evict(restMs))) {
      try {
        this.#offer(await this.#start())
      } catch {
        // said by health() through lastFailure, and tried again later; who counted on this one gets another
        return this.#grow()
      }
    }
  }

  #sweep(): void {
    const longAgo = performance.now() - this.#options.idleMs
    for (const [domain, at] of this.#lastFree) if (at < longAgo) this.#lastFree.delete(domain)
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
