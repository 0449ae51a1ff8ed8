import { Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { encodeFrame, FrameSplitter } from '../../../runtimes/protocol/frame.ts'
import type { NpmAnswer, NpmQuestion, NpmTask } from '../messages.ts'
import { Failure } from './failure.ts'

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/** The way to the host: what this sandbox has instead of a network. */
export class Host {
  readonly #socket = new Socket({ fd: 0, readable: true, writable: true })
  readonly #waiting = new Map<number, Waiting>()
  readonly task: Promise<NpmTask>
  #count = 0

  constructor() {
    const splitter = new FrameSplitter()
    this.task = new Promise((resolve) => {
      this.#socket.on('data', (chunk: Buffer) => {
        for (const body of splitter.push(chunk)) {
          const answer = JSON.parse(body.toString('utf8')) as NpmAnswer
          if (answer.type === 'task') resolve(answer.task)
          else this.#hear(answer)
        }
      })
    })
  }

  /** A package's document, decoded; undefined where the registry has none of that name. */
  async document(name: string, isWhole: boolean): Promise<unknown> {
    const id = ++this.#count
    const { status, bytes } = await new Promise<{ status: number; bytes: Buffer }>((resolve, reject) => {
      this.#waiting.set(id, { status: 0, encoding: '', chunks: [], resolve, reject })
      this.say({ type: 'ask', id, name, isWhole })
    })
    if (status === 404) return undefined
    if (status === 401 || status === 403)
      throw new Failure('refused', `The registry does not show "${name}" without other credentials`)
    if (status !== 200) throw new Failure('lost', `The registry answers with status ${status} for "${name}"`)
    return JSON.parse(bytes.toString('utf8'))
  }

  say(question: NpmQuestion): void {
    this.#socket.write(encodeFrame(question))
  }

  close(): void {
    this.#socket.end()
  }

  #hear(answer: Exclude<NpmAnswer, { type: 'task' }>): void {
    const waiting = this.#waiting.get(answer.id)
    if (!waiting) return
    if (answer.type === 'head') {
      waiting.status = answer.status
      waiting.encoding = answer.encoding
    } else if (answer.type === 'data') waiting.chunks.push(Buffer.from(answer.base64, 'base64'))
    else {
      this.#waiting.delete(answer.id)
      if (answer.type === 'lost') return waiting.reject(new Failure('lost', 'The registry cannot be reached'))
      try {
        const bytes = Buffer.concat(waiting.chunks)
        waiting.resolve({ status: waiting.status, bytes: decoders[waiting.encoding]?.(bytes) ?? bytes })
      } catch (error) {
        waiting.reject(error as Error)
      }
    }
  }
}

interface Waiting {
  status: number
  encoding: string
  chunks: Buffer[]
  resolve(answer: { status: number; bytes: Buffer }): void
  reject(error: Error): void
}
