import { CoherexError } from '@coherex/contract'
import type { SandboxProcess } from '../../runtimes/index.ts'

/** A process that speaks the Language Server Protocol on its standard input and output. */
export type LspProcess = Pick<SandboxProcess, 'write' | 'onOutput' | 'exited' | 'kill'>

export interface LspConnectionOptions {
  process: LspProcess
  /** Something that is told without a question. */
  onNotice(method: string, params: unknown): void
  /** What it asks of an editor. */
  answer(method: string, params: unknown): unknown
  /** It ended, or said what no such server says; it is killed then. */
  onEnd(why: string): void
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

// completions of all that can be imported are a few megabytes
const largestMessage = 16 * 1024 * 1024
const largestHeader = 4096
const mostWaiting = 100
const headerEnd = Buffer.from('\r\n\r\n')

/** Questions, answers and notices of one language server. Its words are a guest's: what breaks the protocol ends it. */
export class LspConnection {
  readonly #options: LspConnectionOptions
  readonly #waiting = new Map<number, Waiting>()
  readonly #stop: () => void
  #chunks: Buffer[] = []
  #length = 0
  /** Bytes that are needed before it is worth looking again. */
  #needed = 1
  #lastId = 0
  #isEnded = false

  constructor(options: LspConnectionOptions) {
    this.#options = options
    const { process } = options
    this.#stop = process.onOutput((stream, chunk) => stream === 'stdout' && this.#hear(chunk))
    void process.exited.then(({ code, signal }) => this.#end(`it ended with ${signal ?? `exit code ${code}`}`))
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params })
  }

  /** Rejects with `unavailable` when it ends, and with `signal`'s reason when that aborts; the server hears of that. */
  async ask(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted()
    if (this.#waiting.size >= mostWaiting) throw unavailable('it has too many questions to answer')
    const id = ++this.#lastId
    const answered = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    const cancel = () => {
      this.#waiting.get(id)?.reject(signal.reason as Error)
      this.#waiting.delete(id)
      this.notify('$/cancelRequest', { id })
    }
    signal.addEventListener('abort', cancel, { once: true })
    try {
      this.#send({ id, method, params })
      return await answered
    } finally {
      this.#waiting.delete(id)
      signal.removeEventListener('abort', cancel)
    }
  }

  close(): void {
    this.#end('it was closed')
  }

  #send(message: object): void {
    if (this.#isEnded) throw unavailable('it has ended')
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
    try {
      this.#options.process.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]))
    } catch (error) {
      this.#end(error instanceof Error ? error.message : 'it could not be written to')
      throw unavailable('it does not read what it is told')
    }
  }

  #hear(chunk: Uint8Array): void {
    if (this.#isEnded) return
    this.#chunks.push(Buffer.from(chunk))
    this.#length += chunk.length
    while (!this.#isEnded && this.#length >= this.#needed) {
      const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
      const at = all.indexOf(headerEnd)
      if (at < 0 && all.length > largestHeader) return this.#end('it said what is no message')
      const length =
        at < 0 ? undefined : Number(/^content-length: (\d{1,9})\r?$/im.exec(all.toString('latin1', 0, at))?.[1])
      if (length !== undefined && !(length <= largestMessage)) return this.#end('it said what is no message')
      const end = length === undefined ? all.length + 1 : at + headerEnd.length + length
      const isWhole = all.length >= end
      this.#chunks = [isWhole ? all.subarray(end) : all]
      this.#length = this.#chunks[0]?.length ?? 0
      this.#needed = isWhole ? 1 : end
      if (isWhole) this.#take(all.toString('utf8', at + headerEnd.length, end))
    }
  }

  #take(body: string): void {
    const message = parseMessage(body)
    if (!message) return this.#end('it said what is no message')
    const { id, method, params } = message
    if (typeof method === 'string') {
      if (id === undefined) return this.#options.onNotice(method, params)
      const result = this.#options.answer(method, params) ?? null
      return this.#isEnded ? undefined : this.#send({ id, result })
    }
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined
    if (!waiting) return // cancelled
    if (message.error === undefined) return waiting.resolve(message.result)
    waiting.reject(unavailable('it could not answer'))
  }

  #end(why: string): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#stop()
    this.#chunks = []
    for (const { reject } of this.#waiting.values()) reject(unavailable(why))
    this.#waiting.clear()
    this.#options.process.kill('SIGKILL')
    this.#options.onEnd(why)
  }
}

function parseMessage(
  body: string,
): { id?: unknown; method?: unknown; params?: unknown; result?: unknown; error?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function unavailable(why: string): CoherexError {
  return new CoherexError('unavailable', `The language server did not answer: ${why}`)
}
