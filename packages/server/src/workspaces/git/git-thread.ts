import { Worker } from 'node:worker_threads'
import { CoherexError } from '@coherex/contract'
import type { Egress } from '../../egress/index.ts'
import { createGitHttp, type RemotePlace } from './git-http.ts'
import { gitLimits } from './git-limits.ts'
import { GitRefused, type GitRefusal } from './git-refusal.ts'
import type {
  GitAnswer,
  GitRequest,
  GitResponse,
  GitTask,
  MadeCommits,
  PushTask,
  ReadCommit,
  ReadTask,
  ServerMessage,
  ThreadMessage,
  TipTask,
} from './git-task.ts'

export interface ThreadOptions {
  egress: Egress
  place: RemotePlace
  /** Whoever asked for it gives up. */
  signal?: AbortSignal | undefined
  totalMs?: number | undefined
}

/**
 * One repository in a thread of its own, which is ended when it takes too long: what comes from a stranger's server is
 * unpacked where it can hold up or take down nobody. One task after the other.
 */
export class GitThread {
  readonly #worker = new Worker(new URL('./git-worker.ts', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  readonly #send: ReturnType<typeof createGitHttp>
  readonly #ended = new AbortController()
  readonly #signal: AbortSignal | undefined
  readonly #timer: NodeJS.Timeout
  readonly #cancel = () => this.#fail(new GitRefused('unavailable', 'The request was given up'))
  #task: { resolve(answer: GitAnswer): void; reject(error: unknown): void; onReady: OnReady } | undefined
  /** What failed outside the thread is the reason for whatever failed in it afterwards. */
  #outside: unknown
  #failure: unknown

  constructor({ egress, place, signal, totalMs = gitLimits.totalMs }: ThreadOptions) {
    this.#send = createGitHttp(egress, place)
    this.#signal = signal
    const late = () => this.#fail(new GitRefused('unavailable', 'The repository takes too long', 'url'))
    this.#timer = setTimeout(late, totalMs)
    signal?.addEventListener('abort', this.#cancel)
    this.#worker.unref()
    this.#worker.on('message', (message: ThreadMessage) => this.#hear(message))
    this.#worker.on('error', () =>
      this.#fail(new GitRefused('too_large', 'The repository takes too much memory', 'url')),
    )
    this.#worker.on('exit', () =>
      this.#fail(new GitRefused('unavailable', 'The repository could not be read: try again')),
    )
    if (signal?.aborted) this.#cancel()
  }

  run(task: ReadTask): Promise<ReadCommit>
  run(task: TipTask): Promise<{ tip: string | undefined }>
  run(task: PushTask, onReady: OnReady): Promise<MadeCommits>
  run(task: GitTask, onReady: OnReady = async () => undefined): Promise<GitAnswer> {
    return new Promise<GitAnswer>((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure)
      this.#task = { resolve, reject, onReady }
      this.#say({ type: 'task', task })
    })
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#cancel)
    this.#ended.abort()
    void this.#worker.terminate()
  }

  #hear(message: ThreadMessage): void {
    if (message.type === 'request') void this.#answer(message.id, message.request)
    else if (message.type === 'ready')
      this.#task?.onReady(message.made).then(() => this.#say({ type: 'go' }), this.#fail)
    else if (message.type === 'done') this.#task?.resolve(message.answer)
    else this.#fail(message.refusal)
  }

  async #answer(id: number, request: GitRequest): Promise<void> {
    let response: GitResponse | undefined
    try {
      response = await this.#send(request, this.#ended.signal)
    } catch (error) {
      this.#outside = error
    }
    this.#say({ type: 'response', id, response })
  }

  #say(message: ServerMessage): void {
    this.#worker.postMessage(message)
  }

  readonly #fail = (error: unknown): void => {
    this.#failure ??= toError(this.#outside ?? error)
    this.#task?.reject(this.#failure)
    this.close()
  }
}

/** The commits of a push are made and about to be sent. */
type OnReady = (made: MadeCommits) => Promise<void>

function toError(error: unknown): unknown {
  const refusal = error instanceof GitRefused ? error.refusal : error
  if (!isRefusal(refusal)) return error
  const { code, message, field } = refusal
  return new CoherexError(code, message, field ? { details: [{ field, message }] } : {})
}

function isRefusal(value: unknown): value is GitRefusal {
  return typeof value === 'object' && value !== null && !(value instanceof Error) && 'code' in value
}
