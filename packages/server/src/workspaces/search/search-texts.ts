import { Worker } from 'node:worker_threads'
import { CoherexError, type TextMatch } from '@coherex/contract'

export interface SearchRequest {
  id: number
  pattern: string
  isRegex: boolean
  matchCase: boolean
  most: number
  texts: { path: string; text: string }[]
  /** What takes the place of each match. */
  replacement?: string
  /** Only the match that begins here. */
  only?: { path: string; line: number; column: number } | undefined
}

export interface ReplacedText {
  path: string
  after: string
  count: number
}

export interface SearchAnswer {
  id: number
  error?: string
  items?: TextMatch[]
  truncated?: boolean
  replaced?: ReplacedText[]
  /** A file that would be longer than any text may be. */
  tooLarge?: string
}

const deadlineMs = 5000
const idleMs = 30_000
const waitingMost = 20

/**
 * Finds text in files, on RE2, in a thread of its own: a pattern can be slow however it is matched, and this one can be
 * ended. One search at a time.
 */
export class TextSearch {
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #count = 0

  async find(
    request: Omit<SearchRequest, 'id' | 'replacement' | 'only'>,
  ): Promise<{ items: TextMatch[]; truncated: boolean }> {
    const { items = [], truncated = false } = await this.#queue(request)
    return { items, truncated }
  }

  /** What each text would be with its matches replaced; those without a match are left out. */
  async replace(request: Omit<SearchRequest, 'id' | 'most'> & { replacement: string }): Promise<ReplacedText[]> {
    const { replaced = [], tooLarge } = await this.#queue({ ...request, most: 0 })
    if (tooLarge !== undefined) {
      throw new CoherexError('too_large', `Cannot replace in "${tooLarge}": it would be longer than a text may be`)
    }
    return replaced
  }

  async #queue(request: Omit<SearchRequest, 'id'>): Promise<SearchAnswer> {
    if (this.#waiting >= waitingMost)
      throw new CoherexError('unavailable', 'Too many searches are under way: try again')
    this.#waiting++
    const turn = this.#last.then(() => this.#ask({ ...request, id: ++this.#count }))
    this.#last = turn.catch(() => undefined) // told to whoever asked
    try {
      const answer = await turn
      const { error } = answer
      if (error !== undefined) {
        throw new CoherexError('invalid_input', `The pattern is no regular expression of RE2: ${error}`, {
          details: [{ field: 'pattern' }],
        })
      }
      return answer
    } finally {
      this.#waiting--
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
    this.#worker = undefined
  }

  #ask(request: SearchRequest): Promise<SearchAnswer> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= startWorker())
    return new Promise<SearchAnswer>((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer)
        worker.off('message', hear)
        worker.off('error', fail)
        settle()
        this.#idle = setTimeout(() => void this.close(), idleMs)
        this.#idle.unref()
      }
      const hear = (answer: SearchAnswer) => finish(() => resolve(answer))
      const fail = () =>
        this.#drop(worker, finish, reject, new CoherexError('unavailable', 'The search failed: try again'))
      const timer = setTimeout(() => {
        const tooSlow = new CoherexError(
          'invalid_input',
          'The search took too long: use a simpler pattern or fewer files',
        )
        this.#drop(worker, finish, reject, tooSlow)
      }, deadlineMs)
      worker.on('message', hear)
      worker.on('error', fail)
      worker.postMessage(request)
    })
  }

  #drop(worker: Worker, finish: (settle: () => void) => void, reject: (error: Error) => void, error: Error): void {
    this.#worker = undefined
    void worker.terminate()
    finish(() => reject(error))
  }
}

function startWorker(): Worker {
  const worker = new Worker(new URL('./search-worker.ts', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  worker.unref()
  return worker
}
