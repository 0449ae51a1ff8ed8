import type {
  LanguageAnswers,
  LanguageEvent,
  LanguageProblem,
  LanguageQuestion,
  LanguageRequest,
} from '@coherex/contract'
import { backoff } from '@coherex/contract'
import { tellPythonState } from './python-state.ts'

export interface AskedPlace {
  path: string
  line: number
  column: number
  typed?: string | undefined
  wrote: { client: number; clock: number }
}

export interface PythonLineOptions {
  workspaceId: string
  onProblems(path: string, problems: LanguageProblem[]): void
}

const waits = { firstMs: 1000, longestMs: 30_000 }
/** Left alone for so long, it is hung up: someone who goes from file to file keeps it. */
const lingerMs = 10_000
// signed out, forbidden, or a server that says it cannot
const finalCodes = [4401, 4403, 1008]

/** The line to the language server of a workspace. It is there while a Python file is, and comes back by itself. */
export class PythonLine {
  readonly #options: PythonLineOptions
  readonly #open = new Map<string, number>()
  readonly #asked = new Map<number, (value: LanguageAnswers[keyof LanguageAnswers]) => void>()
  #socket: WebSocket | undefined
  #lastId = 0
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: PythonLineOptions) {
    this.#options = options
  }

  /** Hears of the problems of a file until it is let go of. */
  open(path: string): () => void {
    clearTimeout(this.#timer)
    const holders = this.#open.get(path) ?? 0
    this.#open.set(path, holders + 1)
    if (!this.#socket) this.#connect()
    else if (holders === 0) this.#say({ type: 'open', path })
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      this.#release(path)
    }
  }

  /** Null where nothing is known, or nobody answers. */
  ask<T extends LanguageQuestion>(about: T, place: AskedPlace, signal: AbortSignal): Promise<LanguageAnswers[T]> {
    return this.#ask<T>((id) => ({ type: 'ask', id, about, ...place }), signal)
  }

  /** The number of the last question, by which more about its answer can be asked. */
  get last(): number {
    return this.#lastId
  }

  describe(of: number, index: number, signal: AbortSignal): Promise<LanguageAnswers['describe']> {
    return this.#ask<'describe'>((id) => ({ type: 'describe', id, of, index }), signal)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#open.clear()
    this.#hangUp()
  }

  #release(path: string): void {
    const left = (this.#open.get(path) ?? 1) - 1
    if (left > 0) return void this.#open.set(path, left)
    this.#open.delete(path)
    this.#say({ type: 'close', path })
    this.#options.onProblems(path, [])
    if (this.#open.size > 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#hangUp(), lingerMs)
  }

  #ask<T extends keyof LanguageAnswers>(
    request: (id: number) => LanguageRequest,
    signal: AbortSignal,
  ): Promise<LanguageAnswers[T]> {
    const id = ++this.#lastId
    if (this.#socket?.readyState !== WebSocket.OPEN || signal.aborted) return Promise.resolve(null)
    return new Promise((resolve) => {
      const settle = (value: LanguageAnswers[keyof LanguageAnswers]) => {
        this.#asked.delete(id)
        signal.removeEventListener('abort', cancel)
        resolve(value as LanguageAnswers[T])
      }
      const cancel = () => {
        this.#say({ type: 'cancel', id })
        settle(null)
      }
      this.#asked.set(id, settle)
      signal.addEventListener('abort', cancel)
      this.#say(request(id))
    })
  }

  #connect(): void {
    const { workspaceId } = this.#options
    const place = `/api/v1/workspaces/${workspaceId}/languages/python`
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${place}`)
    this.#socket = socket
    socket.addEventListener('open', () => {
      for (const path of this.#open.keys()) this.#say({ type: 'open', path })
    })
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(String(data)) as LanguageEvent))
    socket.addEventListener('close', ({ code }) => {
      if (this.#socket !== socket) return
      this.#lost()
      if (finalCodes.includes(code) || this.#open.size === 0) return
      this.#timer = setTimeout(() => this.#connect(), backoff(++this.#failures, waits))
    })
  }

  #hangUp(): void {
    const socket = this.#socket
    this.#lost()
    socket?.close()
  }

  #lost(): void {
    this.#socket = undefined
    for (const settle of this.#asked.values()) settle(null)
    for (const path of this.#open.keys()) this.#options.onProblems(path, [])
    tellPythonState(this.#options.workspaceId, undefined)
  }

  #say(request: LanguageRequest): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(request))
  }

  #hear(event: LanguageEvent): void {
    this.#failures = 0
    if (event.type === 'answer') this.#asked.get(event.id)?.(event.value)
    else if (event.type === 'failure') this.#asked.get(event.id)?.(null)
    else if (event.type === 'problems') {
      if (this.#open.has(event.path)) this.#options.onProblems(event.path, event.problems)
    } else tellPythonState(this.#options.workspaceId, event)
  }
}
