import type { ReadStream } from 'node:fs'

const abandonedMs = 5 * 60_000

/**
 * Streams of open files that somebody was given. One that nobody reads to its end is closed after a while: Node ends the process
 * when it has to collect an open file.
 */
export class OpenReaders {
  readonly #seen = new Map<ReadStream, number>()
  #timer: NodeJS.Timeout | undefined

  add(stream: ReadStream): ReadStream {
    this.#seen.set(stream, -1)
    stream.once('close', () => {
      this.#seen.delete(stream)
      if (this.#seen.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
    this.#timer ??= setInterval(() => this.closeAbandoned(), abandonedMs).unref()
    return stream
  }

  /** Those that gave nothing since the last look. */
  closeAbandoned(): void {
    for (const [stream, before] of this.#seen) {
      if (stream.bytesRead === before) stream.destroy()
      else this.#seen.set(stream, stream.bytesRead)
    }
  }
}
