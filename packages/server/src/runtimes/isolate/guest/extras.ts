// The part of the guest library that is compiled in an isolate only when the program asks for it.
import { atob, btoa, encodeBase64 } from './base64.ts'
import type { Calls } from './capabilities.ts'
import { createCrypto } from './crypto.ts'
import { createDisplay } from './display.ts'
import { createAbort, DOMException, Event, EventTarget } from './events.ts'
import { createFetch, refuseFetch, Request, Response } from './fetch.ts'
import { Headers } from './headers.ts'
import type { Host, Start } from './host.ts'
import { inspect } from './inspect.ts'
import { Buffer } from './node/buffer.ts'
import { createBuiltins } from './node/builtins.ts'
import { structuredClone } from './structured-clone.ts'
import { table } from './table.ts'
import { TextDecoder, TextEncoder } from './text-coding.ts'
import { URLSearchParams } from './url-search-params.ts'
import { createUrl } from './url.ts'

export interface ExtrasParts {
  host: Host
  calls: Calls
  setTimeout: (callback: () => void, delayMs: number) => { unref(): unknown }
  CapabilityError: unknown
}

export interface Program {
  start: Start
  env: Record<string, object>
  input: unknown
  display: unknown
}

export function createExtras({ host, calls, setTimeout, CapabilityError }: ExtrasParts) {
  const URL = createUrl(host)
  return {
    table,
    fetch: createFetch((args) => calls.call('FETCH', 'fetch', args)),
    refuseFetch,
    createDisplay: (maxBytes: number) => createDisplay({ send: host.display, maxBytes, inspect, encodeBase64 }),
    createBuiltins: (program: Program) => createBuiltins({ ...program, host, calls, URL, CapabilityError }),
    globals: {
      ...createAbort(setTimeout),
      Buffer,
      DOMException,
      Event,
      EventTarget,
      Headers,
      Request,
      Response,
      TextDecoder,
      TextEncoder,
      URL,
      URLSearchParams,
      atob,
      btoa,
      crypto: createCrypto(host),
      structuredClone,
    } as Record<string, unknown>,
  }
}

export type Extras = ReturnType<typeof createExtras>
