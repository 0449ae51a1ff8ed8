import { Worker } from 'node:worker_threads'
import { CoherexError, type ErrorCode } from '@coherex/contract'
import { isDiskFull, diskFullError } from '../../base/index.ts'
import { type ArchiveLimits, ArchiveRefused } from './archive-guard.ts'

export interface UnpackJob {
  kind: 'tar' | 'wheel' | 'bytecode' | 'link'
  /** An archive; for links, the tree that is shown again. */
  file: string
  /** It exists, and its owner is the server. */
  directory: string
  limits: ArchiveLimits
}

export type UnpackAnswer =
  | { unpacked: { files: number; bytes: number } }
  | { refused: { message: string; code: string; isOurs: boolean } }

const longestMs = 300_000

/** Unpacks archives of strangers one after the other, where they hold up nobody and can be given up. */
export class UnpackThread {
  readonly #worker = new Worker(new URL('./unpack-worker.ts', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  #last: Promise<unknown> = Promise.resolve()
  #end: ((error: Error) => void) | undefined
  #failure: Error | undefined

  constructor() {
    this.#worker.unref()
    const fail = (error?: unknown) => {
      this.#failure ??= new CoherexError('unavailable', 'The packages could not be unpacked: try again', {
        cause: error,
      })
      this.#end?.(this.#failure)
    }
    this.#worker.on('error', fail)
    this.#worker.on('exit', fail)
  }

  /** Throws ArchiveRefused for what is wrong with the archive. */
  run(job: UnpackJob, signal: AbortSignal): Promise<{ files: number; bytes: number }> {
    const turn = this.#last.then(() => this.#ask(job, signal))
    this.#last = turn.catch(() => undefined) // told to whoever asked
    return turn
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #ask(job: UnpackJob, signal: AbortSignal): Promise<{ files: number; bytes: number }> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure)
      if (signal.aborted) return reject(signal.reason)
      const hear = (answer: UnpackAnswer) => {
        finish()
        if ('unpacked' in answer) resolve(answer.unpacked)
        else reject(toError(answer.refused))
      }
      // a thread in the middle of an archive has no other end
      const give = (error: Error) => {
        finish()
        this.#failure ??= error
        reject(error)
        void this.close()
      }
      const cancel = () => give(signal.reason as Error)
      const finish = () => {
        clearTimeout(timer)
        this.#end = undefined
        this.#worker.off('message', hear)
        signal.removeEventListener('abort', cancel)
      }
      const timer = setTimeout(
        () => give(new ArchiveRefused('too_large', 'it takes longer than five minutes to unpack')),
        longestMs,
      )
      this.#end = give
      this.#worker.on('message', hear)
      signal.addEventListener('abort', cancel, { once: true })
      this.#worker.postMessage(job)
    })
  }
}

function toError({ message, code, isOurs }: { message: string; code: string; isOurs: boolean }): Error {
  if (isOurs) return new ArchiveRefused(code as ErrorCode, message)
  const error = Object.assign(new Error(message), { code })
  return isDiskFull(error) ? diskFullError(error) : error
}
