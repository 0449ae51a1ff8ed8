import { writeSync } from 'node:fs'
import { encodeFrame } from '../../protocol/frame.ts'
import type { GuestMessage } from '../../protocol/messages.ts'

// what these say travels with what follows in the same moment
const held = new Set<GuestMessage['type']>(['started', 'error', 'file', 'result'])

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
  const flush = () => {
    if (waiting.length === 0) return
    const bytes = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting)
    waiting = []
    writeAll(descriptor, bytes)
  }
  return {
    send(message) {
      waiting.push(encodeFrame(message))
      if (!held.has(message.type)) flush()
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
