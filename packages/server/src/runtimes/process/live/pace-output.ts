import type { KeeperStream } from './keeper-stream.ts'

// what a terminal can show, and far more than a person can read; a program that prints without end waits
const bytesPerSecond = 8 * 1024 * 1024
const burstBytes = 4 * 1024 * 1024

/** Reads all of a stream, but no faster than a server with many of them can bear. Resolves at its end. */
export function paceOutput(stream: KeeperStream, take: (chunk: Buffer) => void): Promise<void> {
  let allowed = burstBytes
  let at = performance.now()
  stream.on('data', (chunk: Buffer) => {
    const now = performance.now()
    allowed = Math.min(burstBytes, allowed + ((now - at) / 1000) * bytesPerSecond) - chunk.length
    at = now
    take(chunk)
    if (allowed >= 0) return
    stream.pause()
    setTimeout(() => stream.resume(), (-allowed / bytesPerSecond) * 1000 + 10).unref()
  })
  return new Promise((resolve) => {
    stream.once('end', resolve)
    stream.once('close', resolve)
  })
}
