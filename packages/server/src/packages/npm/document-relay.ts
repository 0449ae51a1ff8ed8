import { setTimeout as wait } from 'node:timers/promises'
import type { Outbound } from '../../egress/index.ts'
import { encodeFrame } from '../../runtimes/index.ts'
import type { NpmAnswer } from './messages.ts'

/** Where documents of packages come from. */
export interface DocumentSource {
  outbound: Outbound
  /** Of the whole document; its short form has the same address. */
  urlOf(name: string): string
  headersFor(url: URL): [string, string][]
}

interface Asked {
  id: number
  name: string
  isWhole: boolean
}

const maxDocumentBytes = 100_000_000
const maxDocumentsBytes = 1_000_000_000
const mostDocuments = 5000
const atOnce = 40
const triesOfOne = 2
const pauseMs = 500
const short = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*'

/** Passes documents on as they come, encoded as they are: nothing of them is read here. */
export class DocumentRelay {
  readonly #socket: NodeJS.ReadWriteStream
  readonly #source: DocumentSource
  readonly #signal: AbortSignal
  readonly #waiting: Asked[] = []
  #asked = 0
  #running = 0
  #bytes = 0

  constructor(socket: NodeJS.ReadWriteStream, source: DocumentSource, signal: AbortSignal) {
    this.#socket = socket
    this.#source = source
    this.#signal = signal
  }

  answer(asked: Asked): void {
    if (++this.#asked > mostDocuments) throw new Error('it asks for too many packages')
    this.#waiting.push(asked)
    this.#next()
  }

  #next(): void {
    const asked = this.#running < atOnce ? this.#waiting.shift() : undefined
    if (!asked) return
    this.#running++
    void this.#relay(asked).finally(() => {
      this.#running--
      this.#next()
    })
  }

  async #relay({ id, name, isWhole }: Asked): Promise<void> {
    try {
      const exchange = await this.#open(name, isWhole)
      let bytes = 0
      try {
        const encoding = exchange.headers.find(([header]) => header === 'content-encoding')?.[1] ?? ''
        await this.#send({ type: 'head', id, status: exchange.status, encoding: encoding.toLowerCase() })
        for await (const piece of exchange.body as AsyncIterable<Buffer>) {
          bytes += piece.length
          this.#bytes += piece.length
          if (bytes > maxDocumentBytes || this.#bytes > maxDocumentsBytes) throw new Error('it is too large')
          await this.#send({ type: 'data', id, base64: piece.toString('base64') })
        }
        exchange.finish(bytes)
      } catch (error) {
        exchange.finish(bytes, error)
        throw error
      }
      await this.#send({ type: 'end', id })
    } catch {
      // whoever asked is told that the registry cannot be reached
      await this.#send({ type: 'lost', id })
    }
  }

  /** An answer whose head has come; once more where the registry is busy or the connection was lost. */
  async #open(name: string, isWhole: boolean) {
    const { outbound, urlOf, headersFor } = this.#source
    const url = urlOf(name)
    const headers: [string, string][] = [['accept', isWhole ? 'application/json' : short], ...headersFor(new URL(url))]
    for (let tries = 1; ; tries++) {
      try {
        const exchange = await outbound.exchange({ url, headers, encodings: 'gzip, br' }, this.#signal)
        const isBusy = exchange.status === 429 || exchange.status >= 500
        if (!isBusy || tries >= triesOfOne) return exchange
        exchange.finish(0)
      } catch (error) {
        if (this.#signal.aborted || tries >= triesOfOne) throw error
      }
      await wait(pauseMs, undefined, { signal: this.#signal })
    }
  }

  async #send(answer: NpmAnswer): Promise<void> {
    const socket = this.#socket
    const signal = this.#signal
    if (signal.aborted || socket.write(encodeFrame(answer))) return
    await new Promise<void>((resolve) => {
      const go = () => {
        socket.off('drain', go)
        signal.removeEventListener('abort', go)
        resolve()
      }
      socket.on('drain', go)
      signal.addEventListener('abort', go)
    })
  }
}
