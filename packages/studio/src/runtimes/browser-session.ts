import { mostOutput, type Outcome, type RunRequest, type TextLine, type WorkerMessage } from './runtime-messages.ts'

/** What a runtime of the browser is made of. */
export interface RuntimeParts {
  /** The worker, as one file. */
  worker: string
  /** Files that it needs, by name. */
  assets: Record<string, string>
  /** Of all that is fetched. */
  bytes: number
  timeoutMs: number
}

export interface Progress {
  bytes: number
  ofBytes: number
}

export interface RunOptions {
  onOutput(lines: TextLine[], truncated: boolean): void
  signal: AbortSignal
}

export interface EndedRun {
  outcome: Outcome
  durationMs: number
  /** Its variables are gone: it had to be stopped from outside. */
  isReset: boolean
}

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
  #hear: ((message: WorkerMessage) => void) | undefined
  #heardAt = performance.now()
  isClosed = false

  private constructor(frame: HTMLIFrameElement, ports: { port: MessagePort; control: MessagePort }, timeoutMs: number) {
    this.#frame = frame
    this.#port = ports.port
    this.#control = ports.control
    this.#timeoutMs = timeoutMs
    this.#port.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.#hear?.(data)
    this.#control.onmessage = ({ data }: MessageEvent<{ type: string; message?: string }>) => {
      this.#heardAt = performance.now()
      if (data.type === 'broken') this.#hear?.({ type: 'broken', message: String(data.message) })
    }
  }

  static async open(
    { worker, assets, bytes, timeoutMs }: RuntimeParts,
    { onProgress, signal }: { onProgress?: (progress: Progress) => void; signal?: AbortSignal } = {},
  ): Promise<BrowserSession> {
    const loaded = await loadParts([worker, ...Object.values(assets)], { bytes, onProgress, signal })
    const [source, ...rest] = loaded as [ArrayBuffer, ...ArrayBuffer[]]
    const frame = await openFrame('/runtimes/worker')
    const inner = new MessageChannel()
    const outer = new MessageChannel()
    const session = new BrowserSession(frame, { port: inner.port1, control: outer.port1 }, timeoutMs)
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
  async run(request: RunRequest, { onOutput, signal }: RunOptions): Promise<EndedRun> {
    const began = performance.now()
    const ended = (outcome: Outcome): EndedRun => {
      this.#hear = undefined
      return { outcome, durationMs: Math.round(performance.now() - began), isReset: this.isClosed }
    }
    return new Promise<EndedRun>((resolve) => {
      let heard = 0
      this.#heardAt = began
      const finish = (outcome: Outcome) => {
        clearTimeout(timer)
        clearInterval(watch)
        signal.removeEventListener('abort', cancel)
        resolve(ended(outcome))
      }
      const stop = (kind: 'timeout' | 'memory' | 'cancelled' | 'output', message: string) => {
        this.close()
        finish({ status: kind === 'cancelled' ? 'cancelled' : 'failed', error: { kind, message } })
      }
      const cancel = () => stop('cancelled', 'Stopped. Its variables are gone: the next run begins anew.')
      const seconds = this.#timeoutMs / 1000
      const timer = setTimeout(
        () => stop('timeout', `Stopped after ${seconds} s, the most that a block may take in the browser.`),
        this.#timeoutMs,
      )
      const watch = setInterval(() => {
        if (performance.now() - this.#heardAt > silentMs)
          stop('memory', 'The browser ended it: it took too much memory.')
        else this.#control.postMessage('here?')
      }, aliveMs)
      signal.addEventListener('abort', cancel)
      this.#hear = (message) => {
        if (message.type === 'broken') stop('memory', `The browser ended it: ${message.message}`)
        else if (message.type === 'end') finish(toOutcome(message.outcome))
        else if (message.type === 'output') {
          heard += Array.isArray(message.lines) ? message.lines.length : Infinity
          if (heard > mostOutput.lines + 100) stop('output', 'Stopped: it printed too much.')
          else onOutput(message.lines.flatMap(toLine), message.truncated === true)
        }
      }
      if (this.isClosed) stop('cancelled', 'The session was closed.')
      else if (signal.aborted) cancel()
      else this.#port.postMessage(request)
    })
  }

  /** Ends its code at once: a worker goes with its frame. */
  close(): void {
    this.isClosed = true
    this.#frame.remove()
    this.#port.close()
    this.#control.close()
  }
}

const streams = ['stdout', 'stderr', 'log', 'info', 'warn', 'error', 'debug'] as const

function toLine(line: TextLine): TextLine[] {
  const stream = streams.find((one) => one === line.stream)
  if (!stream) return []
  return [{ at: Math.max(0, Number(line.at) || 0), stream, text: String(line.text) }]
}

function toOutcome({ status, result, resultText, error, needsServer }: Outcome): Outcome {
  const message = error && String(error.message).slice(0, 10_000)
  return {
    status: status === 'succeeded' ? 'succeeded' : 'failed',
    ...(result !== undefined && { result }),
    ...(resultText !== undefined && { resultText: String(resultText).slice(0, 10_000) }),
    ...(error && {
      error: {
        kind: error.kind === 'syntax' ? ('syntax' as const) : ('runtime' as const),
        message: message ?? '',
        ...(Number.isInteger(error.line) && { line: Math.max(0, error.line ?? 0) }),
        ...(error.stack !== undefined && { stack: String(error.stack).slice(0, 20_000) }),
      },
    }),
    ...(needsServer !== undefined && { needsServer: String(needsServer).slice(0, 300) }),
  }
}

/** A frame without an origin that has said it is there. */
export async function openFrame(address: string, place: HTMLElement = document.body): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe')
  frame.sandbox.add('allow-scripts')
  // a shared page has no origin, and may stand on another site
  frame.src = window.origin === 'null' ? address.replace('/runtimes/', '/runtimes/open/') : address
  frame.title = 'Code of a block'
  if (place === document.body) frame.hidden = true
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const hear = (event: MessageEvent) => {
    if (event.source === frame.contentWindow && event.data === 'coherex-frame') resolve()
  }
  const timer = setTimeout(() => reject(new Error('the frame for its code could not be loaded')), startMs)
  window.addEventListener('message', hear)
  place.append(frame)
  try {
    await promise
  } catch (error) {
    frame.remove()
    throw error
  } finally {
    clearTimeout(timer)
    window.removeEventListener('message', hear)
  }
  return frame
}

interface Loading {
  bytes: number
  onProgress: ((progress: Progress) => void) | undefined
  signal: AbortSignal | undefined
}

/** The files of a runtime from our own server, with how far they are. The frame itself talks to nobody. */
export async function loadParts(
  addresses: string[],
  { bytes: ofBytes, onProgress, signal }: Loading,
): Promise<ArrayBuffer[]> {
  let bytes = 0
  return Promise.all(
    addresses.map(async (address) => {
      const response = await fetch(address, signal ? { signal } : {})
      if (!response.ok || !response.body) throw new Error(`a part of it could not be loaded (${response.status})`)
      const chunks: Uint8Array<ArrayBuffer>[] = []
      for (const reader = response.body.getReader(); ;) {
        const { done, value } = await reader.read()
        if (done) break
        chunks.push(value)
        bytes += value.length
        onProgress?.({ bytes: Math.min(bytes, ofBytes), ofBytes })
      }
      return new Blob(chunks).arrayBuffer()
    }),
  )
}
