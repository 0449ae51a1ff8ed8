import { writeSync } from 'node:fs'
import { encodeFrame } from '../../protocol/frame.ts'
import type { GuestMessage } from '../../protocol/messages.ts'

// what these say travels with what follows in the same moment
const held = new Set<GuestMessage['type']>(['started', 'error', 'file', 'result'])
// so much is a piece of work by itself, and the host sees that more is on its way
const mostHeldBytes = 1024 * 1024

const sleeper = new Int32Array(new SharedArrayBuffer(4))

export interface Outbox {
  send(message: GuestMessage): void
  /** Sends what is still held. */
  flush(): void
}

/**
 * Sends messages that follow each other in one write: each write wakes the host, which costs both sides more than the message.
 * It waits until the pipe has taken them: a program that keeps this thread busy afterwards has told what it told.
 */
export function createOutbox(descriptor: number): Outbox {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  const flush = () => {
    if (waiting.length === 0) return
    const bytes = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    writeAll(descriptor, bytes)
  }
  return {
    send(message) {
      const frame = encodeFrame(message)
      waiting.push(frame)
      waitingBytes += frame.length
      if (!held.has(message.type) || waitingBytes >= mostHeldBytes) flush()
    },
    flush,
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (error) {
      // anything but a full pipe means that the host is gone, and with it every reason to live
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') process.exit(0)
      Atomics.wait(sleeper, 0, 0, 1)
    }
  }
}
