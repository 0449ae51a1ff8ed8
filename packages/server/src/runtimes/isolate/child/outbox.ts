import type { Writable } from 'node:stream'
import { encodeFrame } from '../../protocol/frame.ts'
import type { GuestMessage } from '../../protocol/messages.ts'

// what these say travels with the end, which follows in the same moment
const held = new Set<GuestMessage['type']>(['result', 'error', 'file'])

/** Sends messages that follow each other in one write: each write wakes the host, which costs both sides more than the message. */
export function createOutbox(channel: Writable) {
  let isHolding = false
  return (message: GuestMessage): void => {
    if (!isHolding) channel.cork()
    isHolding = true
    channel.write(encodeFrame(message))
    // at once, not on a tick: the isolate's calls come from outside of Node's loop, and no tick follows them
    if (held.has(message.type)) return
    isHolding = false
    channel.uncork()
  }
}
