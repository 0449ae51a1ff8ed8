import type { SandboxVariable, SandboxVariablePage } from '@coherex/contract'
import { loadParts, openFrame } from './open-frame.ts'
import { readAnswer, readLine, readOutcome } from './read-message.ts'
import {
  mostOutput,
  type Answer,
  type FoundPackages,
  type Outcome,
  type Question,
  type RunRequest,
  type ShownLine,
  type ToWorker,
  type WorkerMessage,
} from './runtime-messages.ts'

/** What a runtime of the browser is made of. */
export interface RuntimeParts {
  /** The worker, as one file. */
  worker: string
  /** Files that it needs, by name. */
  assets: Record<string, string>
  /** Of all that is fetched. */
  bytes: number
  timeoutMs: number
  /** Its worker looks at the mark while it runs, and keeps its variables when it is stopped so. */
  isInterruptible?: boolean
  /** Fetches packages for the code, which itself reaches nobody. */
  findPackages?: (modules: string[], signal: AbortSignal) => Promise<FoundPackages>
}

export interface Progress {
  bytes: number
  ofBytes: number
}

export interface RunOptions {
  onOutput(lines: ShownLine[], truncated: boolean): void
  /** Asks a person for a line; null where they give none. Without it nobody is asked. */
  onInput?: ((prompt: string, signal: AbortSignal) => Promise<string | null>) | undefined
  signal: AbortSignal
}

/** Why variables are gone: what stopped their session, or that it was closed to make room for others. */
export type ResetReason = 'stopped' | 'timeout' | 'memory' | 'output' | 'evicted'

export interface EndedRun {
  outcome: Outcome
  durationMs: number
  /** Its variables are gone: it had to be stopped from outside. */
  isReset: boolean
  /** Why the variables are gone, after this run or already before it. */
  reset?: ResetReason | undefined
}

const gone = 'Its variables are gone: the next run begins anew.'
const kept = 'Its variables are kept.'
const lookMs = 3_000
// code that is asked to stop may catch that; then it ends with its frame
const interruptMs = 700
const aliveMs = 1_000
// a frame whose process has gone answers nothing; a busy machine takes a while
const silentMs = 5_000
const startMs = 60_000

/** Code with its variables in a frame of no origin. It ends with the frame, whatever it does. */
export class BrowserSession {
  readonly #frame: HTMLIFrameElement
  readonly #port: MessagePort
  readonly #control: MessagePort
  readonly #timeoutMs: number
  readonly #findPackages: RuntimeParts['findPackages']
  readonly #isInterruptible: boolean
  #mark: string | undefined
  #hear: ((message: WorkerMessage) => void) | undefined
  #heardAt = performance.now()
  isClosed = false
  isRunning = false
  /** Why there is nothing of earlier blocks in it; told with the first run. */
  lost: ResetReason | undefined

  private constructor(
    frame: HTMLIFrameElement,
    ports: { port: MessagePort; control: MessagePort },
    { timeoutMs, findPackages, isInterruptible = false }: Omit<RuntimeParts, 'worker' | 'assets' | 'bytes'>,
  ) {
    this.#frame = frame
    this.#findPackages = findPackages
    this.#port = ports.port
    this.#control = ports.control
    this.#timeoutMs = timeoutMs
    this.#isInterruptible = isInterruptible
    this.#port.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.#hear?.(data)
    this.#control.onmessage = ({ data }: MessageEvent<{ type: string; message?: string; mark?: string }>) => {
      this.#heardAt = performance.now()
      if (data.type === 'mark') this.#mark = data.mark
      if (data.type === 'broken') this.#hear?.({ type: 'broken', message: String(data.message) })
    }
  }

  static async open(
    { worker, assets, bytes, ...rules }: RuntimeParts,
    { onProgress, signal }: { onProgress?: (progress: Progress) => void; signal?: AbortSignal } = {},
  ): Promise<BrowserSession> {
    const loaded = await loadParts([worker, ...Object.values(assets)], { bytes, onProgress, signal })
    const [source, ...rest] = loaded as [ArrayBuffer, ...ArrayBuffer[]]
    const frame = await openFrame('/runtimes/worker')
    const inner = new MessageChannel()
    const outer = new MessageChannel()
    const session = new BrowserSession(frame, { port: inner.port1, control: outer.port1 }, rules)
    const given = Object.fromEntries(Object.keys(assets).map((name, at) => [name, rest[at] as ArrayBuffer]))
    const ready = new Promise<void>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(why))
      const timer = setTimeout(() => fail('it did not start'), startMs)
      signal?.addEventListener('abort', () => fail('it was stopped'))
      session.#hear = (message) => {
        clearTimeout(timer)
        if (message.type === 'ready') resolve()
        else fail(message.type === 'broken' ? message.message : 'it did not start')
      }
    })
    const message = { source: new TextDecoder().decode(source), assets: given }
    // a frame of no origin can be named by no other address
    frame.contentWindow?.postMessage(message, '*', [outer.port2, inner.port2, ...rest])
    try {
      await ready
    } catch (error) {
      session.close()
      throw error
    }
    return session
  }

  /** One at a time. What the code does wrong is an outcome. */
  async run(request: RunRequest, { onOutput, onInput, signal }: RunOptions): Promise<EndedRun> {
    const began = performance.now()
    let reset = this.lost
    this.lost = undefined
    this.isRunning = true
    if (reset === 'evicted') {
      const text = 'Variables of earlier blocks are gone: their session was closed to make room for others.'
      onOutput([{ at: 0, stream: 'info', text }], false)
    }
    return new Promise<EndedRun>((resolve) => {
      let heard = 0
      this.#heardAt = began
      const finish = (outcome: Outcome) => {
        clearTimeout(timer)
        clearInterval(watch)
        clearTimeout(patience)
        signal.removeEventListener('abort', cancel)
        this.#hear = undefined
        this.isRunning = false
        resolve({ outcome, durationMs: Math.round(performance.now() - began), isReset: this.isClosed, reset })
      }
      const stop = (kind: 'timeout' | 'memory' | 'cancelled' | 'output', message: string) => {
        this.close()
        reset = kind === 'cancelled' ? 'stopped' : kind
        finish({
          status: kind === 'cancelled' ? 'cancelled' : 'failed',
          error: { kind, message: `${message} ${gone}` },
        })
      }
      let asked: { kind: 'timeout' | 'cancelled'; message: string } | undefined
      let patience: ReturnType<typeof setTimeout> | undefined
      const halt = (kind: 'timeout' | 'cancelled', message: string) => {
        if (!this.#isInterruptible || this.isClosed) return stop(kind, message)
        if (asked) return undefined
        asked = { kind, message }
        patience = setTimeout(() => stop(kind, message), interruptMs)
        this.#control.postMessage('interrupt')
      }
      const cancel = () => halt('cancelled', 'Stopped.')
      const seconds = this.#timeoutMs / 1000
      const expire = () => halt('timeout', `Stopped after ${seconds} s, the most that a block may take in the browser.`)
      let timer = setTimeout(expire, this.#timeoutMs)
      /** Time that a person or a registry takes is not the code's. */
      const aside = async (work: Promise<ToWorker>, otherwise: ToWorker) => {
        clearTimeout(timer)
        const message = await work.catch(() => otherwise)
        if (this.isClosed) return
        timer = setTimeout(expire, this.#timeoutMs)
        this.#send(message)
      }
      const watch = setInterval(() => {
        if (performance.now() - this.#heardAt > silentMs)
          stop('memory', 'The browser ended it: it took too much memory.')
        else this.#control.postMessage('here?')
      }, aliveMs)
      signal.addEventListener('abort', cancel)
      this.#hear = (message) => {
        // code that asks for ever is stopped as code that prints for ever is
        if (heard > mostOutput.lines + 100) stop('output', 'Stopped: it printed too much.')
        else if (message.type === 'broken') stop('memory', `The browser ended it: ${message.message}.`)
        else if (message.type === 'end') {
          const { peakMemoryMb, ...outcome } = readOutcome(message.outcome)
          const memory = peakMemoryMb === undefined ? {} : { peakMemoryMb }
          if (!asked) return finish({ ...outcome, ...memory })
          const error = { kind: asked.kind, message: `${asked.message} ${kept}` }
          finish({ status: asked.kind === 'cancelled' ? 'cancelled' : 'failed', error, ...memory })
        } else if (message.type === 'ask') {
          heard += 10
          void aside(askFor(message.prompt, onInput, signal), { type: 'input', text: null })
        } else if (message.type === 'want') {
          heard += 10
          void aside(this.#find(message.modules, signal), { type: 'packages', files: [], missing: [] })
        } else if (message.type === 'output') {
          heard += Array.isArray(message.lines) ? message.lines.length : Infinity
          if (heard > mostOutput.lines + 100) stop('output', 'Stopped: it printed too much.')
          else onOutput(message.lines.flatMap(readLine), message.truncated === true)
        }
      }
      if (this.isClosed) stop('cancelled', 'The session was closed.')
      else if (signal.aborted) stop('cancelled', 'Stopped.')
      else this.#send({ type: 'run', ...request, mark: this.#mark })
    })
  }

  /** Its variables, by name; undefined while code runs, or where a value takes too long to look at. */
  async variables(): Promise<SandboxVariable[] | undefined> {
    const answer = await this.#look({ about: 'all' })
    return answer && 'variables' in answer ? answer.variables : undefined
  }

  /** One of its variables: of a table a page, of all else its text. */
  async variable(name: string, { offset = 0, limit = 100 } = {}): Promise<SandboxVariablePage | undefined> {
    const answer = await this.#look({ about: 'one', name, offset, limit: Math.min(limit, 200) })
    return answer && 'variable' in answer ? answer.variable : undefined
  }

  #look(question: Question): Promise<Answer | undefined> {
    if (this.isClosed || this.#hear) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const done = (answer: Answer | undefined) => {
        clearTimeout(timer)
        if (this.#hear === hear) this.#hear = undefined
        resolve(answer)
      }
      const timer = setTimeout(() => done(undefined), lookMs)
      const hear = (message: WorkerMessage) => message.type === 'seen' && done(readAnswer(message.answer))
      this.#hear = hear
      this.#send({ type: 'look', question })
    })
  }

  async #find(modules: string[], signal: AbortSignal): Promise<ToWorker> {
    const asked = modules.slice(0, 50).map((name) => String(name).slice(0, 100))
    const found = await this.#findPackages?.(asked, signal)
    return { type: 'packages', ...(found ?? { files: [], missing: [] }) }
  }

  #send(message: ToWorker): void {
    const files = message.type === 'packages' ? message.files.map(({ bytes }) => bytes) : []
    this.#port.postMessage(message, files)
  }

  /** Ends its code at once: a worker goes with its frame. */
  close(): void {
    this.isClosed = true
    this.#frame.remove()
    this.#port.close()
    this.#control.close()
  }
}

async function askFor(prompt: string, onInput: RunOptions['onInput'], signal: AbortSignal): Promise<ToWorker> {
  const text = await onInput?.(String(prompt).slice(0, 1_000), signal)
  return { type: 'input', text: typeof text === 'string' ? text.slice(0, 100_000) : null }
}
