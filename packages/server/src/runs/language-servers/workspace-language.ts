import {
  backoff,
  CoherexError,
  type LanguageAnswers,
  type LanguageEvent,
  type LanguageProblem,
  type LanguageServerState,
} from '@coherex/contract'
import type { Log } from '../../base/index.ts'
import type { WatchedTexts } from '../../workspaces/index.ts'
import type { Ask, PythonServer, PythonServerOptions } from './python-server.ts'

/** One editor that asks. */
export interface LanguageClient {
  tell(event: LanguageEvent): void
}

export interface WorkspaceLanguageOptions {
  texts: WatchedTexts
  /** Starts the server within the team's quotas. */
  start(
    hear: Pick<PythonServerOptions, 'onProblems' | 'onEnd'>,
  ): Promise<Pick<PythonServer, 'open' | 'close' | 'ask' | 'describe' | 'end'>>
  times: LanguageTimes
  log: Log
  /** Nobody has asked for a while, or the workspace is gone. */
  onDone(): void
}

export interface LanguageTimes {
  /** Without a question or an edit. */
  idleMs: number
  /** After the last editor has left. */
  leftMs: number
  /** Waits between starts that fail. */
  firstMs: number
  longestMs: number
  /** One that lived this long was well. */
  wellMs: number
  askMs: number
  /** After the last change of a file that names packages. */
  settleMs: number
}

type Server = Awaited<ReturnType<WorkspaceLanguageOptions['start']>>

const isPython = /\.pyi?$/
/** They say which packages it knows, from its start on. */
export const manifests = ['requirements.txt', 'pylock.toml', 'pyproject.toml'] as const
/** After so many starts in a row that failed, only someone who opens a file has it tried again. */
const mostFailures = 5
const mostOpen = 50

/** The language server of one workspace, for all who edit it: started by the first Python file that is opened, ended when nobody uses it, started again when it dies. */
export class WorkspaceLanguage {
  readonly #options: WorkspaceLanguageOptions
  readonly #clients = new Map<LanguageClient, Set<string>>()
  readonly #problems = new Map<string, LanguageProblem[]>()
  readonly #stop: (() => void)[]
  #server: Promise<Server> | undefined
  #state: Extract<LanguageEvent, { type: 'state' }> = { type: 'state', state: 'asleep' }
  #usedAt = Date.now()
  #startedAt = 0
  #failures = 0
  #retryAt = 0
  #retry: NodeJS.Timeout | undefined
  #settling: NodeJS.Timeout | undefined
  /** What the files that name packages said when it was started. */
  #named = ''
  #idle: NodeJS.Timeout
  #isDone = false

  constructor(options: WorkspaceLanguageOptions) {
    this.#options = options
    const { texts, times } = options
    this.#stop = [texts.onChange((paths) => this.#edited(paths)), texts.onEnd(() => void this.end())]
    this.#idle = setInterval(() => this.#rest(), Math.min(times.idleMs, times.leftMs) / 4)
    this.#idle.unref()
  }

  get isDone(): boolean {
    return this.#isDone
  }

  join(client: LanguageClient): void {
    this.#clients.set(client, new Set())
    this.#usedAt = Date.now()
    client.tell(this.#state)
  }

  leave(client: LanguageClient): void {
    const paths = this.#clients.get(client) ?? []
    this.#clients.delete(client)
    this.#usedAt = Date.now()
    for (const path of paths) this.#closeUnused(path)
  }

  open(client: LanguageClient, path: string): void {
    const own = this.#clients.get(client)
    if (!own || !isPython.test(path) || own.has(path)) return
    if (own.size >= mostOpen)
      throw new CoherexError('quota_exceeded', `Cannot open "${path}": ${mostOpen} files are open`)
    own.add(path)
    if (this.#failures >= mostFailures) this.#failures = 0
    const known = this.#problems.get(path)
    if (known) client.tell({ type: 'problems', path, problems: known })
    void this.#use().then(
      (server) => this.#isOpen(path) && server.open(path),
      () => undefined, // told to all as the state
    )
  }

  close(client: LanguageClient, path: string): void {
    if (this.#clients.get(client)?.delete(path)) this.#closeUnused(path)
  }

  async ask(
    client: LanguageClient,
    asked: Ask,
    signal: AbortSignal,
  ): Promise<{ value: LanguageAnswers[Ask['about']]; items?: unknown[] }> {
    if (!this.#clients.get(client)?.has(asked.path)) return { value: null }
    const server = await this.#use()
    return server.ask(asked, this.#within(signal))
  }

  async describe(item: unknown, signal: AbortSignal): Promise<LanguageAnswers['describe']> {
    // of a server that has ended since, the next does not know it
    const server = this.#state.state === 'ready' ? await this.#server : undefined
    return server ? server.describe(item, this.#within(signal)) : null
  }

  /** For good. */
  async end(): Promise<void> {
    if (this.#isDone) return
    this.#isDone = true
    clearInterval(this.#idle)
    clearTimeout(this.#retry)
    clearTimeout(this.#settling)
    for (const stop of this.#stop) stop()
    this.#options.texts.release()
    this.#options.onDone()
    await this.#sleep()
  }

  #within(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, AbortSignal.timeout(this.#options.times.askMs)])
  }

  #isOpen(path: string): boolean {
    return [...this.#clients.values()].some((paths) => paths.has(path))
  }

  #closeUnused(path: string): void {
    if (this.#isOpen(path)) return
    this.#problems.delete(path)
    void this.#server?.then(
      (server) => server.close(path),
      () => undefined, // told as the state
    )
  }

  /** The server, started where it is not there. Rejects while it waits for its next try. */
  #use(): Promise<Server> {
    this.#usedAt = Date.now()
    if (this.#server) return this.#server
    if (this.#isDone) return Promise.reject(new CoherexError('unavailable', 'The workspace was closed'))
    if (Date.now() < this.#retryAt || this.#failures >= mostFailures) {
      return Promise.reject(new CoherexError('unavailable', this.#state.reason ?? 'The language server is not there'))
    }
    this.#tellState('starting')
    this.#startedAt = Date.now()
    this.#named = this.#readNamed()
    const hear = {
      onProblems: (path: string, problems: LanguageProblem[]) => this.#tellProblems(path, problems),
      onEnd: (why: string) => this.#server === starting && this.#failed(`The language server ended: ${why}`),
    }
    const starting: Promise<Server> = this.#options.start(hear).then(
      (server) => {
        if (this.#server !== starting) {
          void server.end()
          throw new CoherexError('unavailable', 'The language server was closed')
        }
        for (const paths of this.#clients.values()) for (const path of paths) server.open(path)
        this.#tellState('ready')
        return server
      },
      (error: unknown) => {
        if (!(error instanceof CoherexError)) this.#options.log.warn({ error }, 'a language server did not start')
        const why = error instanceof CoherexError ? error.message : 'it did not start'
        if (this.#server === starting) this.#failed(why)
        throw error
      },
    )
    this.#server = starting
    starting.catch(() => undefined) // told as the state, and to whoever waits for it
    return starting
  }

  #failed(reason: string): void {
    const { times } = this.#options
    this.#server = undefined
    this.#failures = Date.now() - this.#startedAt > times.wellMs ? 1 : this.#failures + 1
    const waitMs = backoff(this.#failures, times)
    this.#retryAt = Date.now() + waitMs
    this.#tellState('failed', reason)
    if (this.#failures >= mostFailures || this.#isDone) return
    this.#retry = setTimeout(() => {
      if (this.#hasOpenFiles()) this.#use().catch(() => undefined) // told as the state
    }, waitMs + 1).unref()
  }

  #readNamed(): string {
    return JSON.stringify(manifests.map((path) => this.#options.texts.read(path)))
  }

  /** Started anew it knows other packages. Nobody waits for it who does not edit. */
  #restartForPackages(): void {
    if (!this.#server || this.#named === this.#readNamed()) return
    void this.#sleep().then(() => {
      if (this.#hasOpenFiles()) this.#use().catch(() => undefined) // told as the state
    })
  }

  #edited(paths: ReadonlySet<string>): void {
    if (manifests.some((path) => paths.has(path))) {
      clearTimeout(this.#settling)
      this.#settling = setTimeout(() => this.#restartForPackages(), this.#options.times.settleMs).unref()
    }
    if (![...paths].some((path) => this.#isOpen(path))) return
    if (this.#server) this.#usedAt = Date.now()
    else this.#use().catch(() => undefined) // told as the state
  }

  #rest(): void {
    const { times } = this.#options
    const restedMs = Date.now() - this.#usedAt
    if (this.#clients.size === 0 && restedMs >= times.leftMs) return void this.end()
    if (this.#server && restedMs >= times.idleMs) void this.#sleep()
  }

  async #sleep(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    this.#tellState('asleep')
    await server.then(
      (one) => one.end(),
      () => undefined, // it never was there
    )
  }

  #hasOpenFiles(): boolean {
    return [...this.#clients.values()].some((paths) => paths.size > 0)
  }

  #tellState(state: LanguageServerState, reason?: string): void {
    this.#state = { type: 'state', state, ...(reason !== undefined && { reason }) }
    for (const client of this.#clients.keys()) client.tell(this.#state)
  }

  #tellProblems(path: string, problems: LanguageProblem[]): void {
    this.#problems.set(path, problems)
    for (const [client, paths] of this.#clients) if (paths.has(path)) client.tell({ type: 'problems', path, problems })
  }
}
