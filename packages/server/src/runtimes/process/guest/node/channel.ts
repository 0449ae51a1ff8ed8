import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { encodeFrame, FrameDecoder } from '../../../protocol/frame.ts'
import type { GuestMessage, HostMessage } from '../../../protocol/messages.ts'
import type { FromSession, ToSession } from '../../../protocol/session-messages.ts'

const descriptor = Number(process.env['COHEREX_FD'])
delete process.env['COHEREX_FD']

const socket = new Socket({ fd: descriptor, readable: true, writable: true })
const decoder = new FrameDecoder()
const pause = new Int32Array(new SharedArrayBuffer(4))

/** Writes before it returns, so that nothing is lost when the program exits in its next line. */
export function send(message: GuestMessage | FromSession): void {
  let frame = encodeFrame(message)
  while (frame.length > 0) {
    try {
      frame = frame.subarray(writeSync(descriptor, frame))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(pause, 0, 0, 1)
    }
  }
}

export function listen(onMessage: (message: HostMessage | ToSession) => void): void {
  socket.on('data', (chunk: Buffer) => {
    // the driver passes on only what the host sent
    for (const message of decoder.push(chunk)) onMessage(message as HostMessage | ToSession)
  })
  socket.on('error', () => process.exit(1))
  // without a host there is nobody to run for
  socket.on('end', () => process.exit(1))
}

/** An open channel alone must not keep a finished program alive; a call under way must. */
export function keepAlive(isNeeded: boolean): void {
  if (isNeeded) socket.ref()
  else socket.unref()
}
