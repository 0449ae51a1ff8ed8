import { expect, test } from 'vitest'
import { SyncConnection, type SyncConnectionOptions } from './sync-connection.ts'

/** What becomes of a message to a reader who is so far behind. */
function sendTo(bufferedAmount: number, isCrowded: boolean): string[] {
  const did: string[] = []
  const socket = {
    ...{ OPEN: 1, readyState: 1, bufferedAmount, on() {} },
    send: () => did.push('sent'),
    terminate: () => did.push('cut'),
  }
  const options = { socket, room: { join() {} }, canWrite: true, isCrowded: () => isCrowded }
  new SyncConnection(options as unknown as SyncConnectionOptions).send(new Uint8Array(1))
  return did
}

test('a reader who is far behind is cut, sooner where readers together leave no room', () => {
  expect([sendTo(2_000_000, false), sendTo(2_000_000, true), sendTo(100_000, true), sendTo(40_000_000, false)]).toEqual(
    [['sent'], ['cut'], ['sent'], ['cut']],
  )
})
