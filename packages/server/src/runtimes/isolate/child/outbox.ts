import type { Writable } from 'node:stream'
import { encodeFrame } from '../../protocol/frame.ts'
import type { GuestMessage } from '../../protocol/messages.ts'

// what these say travels with what comes next: the end, in the same moment, or the first output
const held = new Set<GuestMessage['type']>(['started', 'result', 'error', 'file'])

// most programs have ended by then, and their start and end are one
const startHeldMs = 1

/** Sends messages that follow each other in one write: each write wakes the host, which costs both sides more than the message. */
export function createOutbox(channel: Writable) {
  let isHolding = false
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    isHolding = false
    channel.uncork()
  }
  return (message: GuestMessage): void => {
    if (!isHolding) channel.cork()
    isHolding = true
    channel.write(encodeFrame(message))
    // at once, not on a tick: the isolate's calls come from outside of Node's loop, and no tick follows them
    if (!held.has(message.type)) flush()
    else if (message.type === 'started') timer = setTimeout(flush, startHeldMs)
  }
}
