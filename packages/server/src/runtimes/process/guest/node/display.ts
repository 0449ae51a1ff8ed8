import { inspect } from 'node:util'
import { createDisplay as createSharedDisplay } from '../../../isolate/guest/display.ts'

const maxBytes = 8 * 1024 * 1024

/** The same `display` as in an isolate, with Node's own `inspect`. */
export function createDisplay(send: (data: Record<string, unknown>) => void) {
  return createSharedDisplay({
    send: (json) => send(JSON.parse(json) as Record<string, unknown>),
    maxBytes,
    inspect,
    encodeBase64: (bytes) => Buffer.from(bytes).toString('base64'),
  })
}
