import { CoherexError } from '@coherex/contract'
import { GitThread, type ThreadOptions } from './git-thread.ts'

// each holds a repository in memory
const atOnce = 2
const waitingMost = 10

/** How many repositories are read and written at once. */
export class GitThreads {
  readonly #waiting: (() => void)[] = []
  #running = 0

  /** Works with a repository in a thread, which ends with the work. */
  async use<T>(options: ThreadOptions, work: (thread: GitThread) => Promise<T>): Promise<T> {
    if (this.#waiting.length >= waitingMost) {
      const message = 'Too many repositories are being read: try again'
      throw new CoherexError('unavailable', message, { retryAfterSeconds: 10 })
    }
    if (this.#running >= atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    let thread: GitThread | undefined
    try {
      thread = new GitThread(options)
      return await work(thread)
    } finally {
      thread?.close()
      const next = this.#waiting.shift()
      // the place goes straight to whoever waits
      if (next) next()
      else this.#running--
    }
  }
}
