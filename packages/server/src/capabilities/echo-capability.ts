import { z } from 'zod'
import { type Capabilities, CapabilityError, type Capability } from './capability.ts'
import { defineMethod } from './define-method.ts'

const maxEchoBytes = 1_000_000

/** For trying the loopback, and for asking what was granted. */
export function createEchoCapability(granted: Capabilities): Capability {
  let calls = 0
  const echo: Capability = {
    methods: {
      ping: defineMethod(
        'ECHO.ping',
        () => z.tuple([]),
        async () => {
          calls++
          return 'pong'
        },
      ),
      info: defineMethod(
        'ECHO.info',
        () => z.tuple([]),
        async () => {
          calls++
          const all = Object.entries({ ...granted, ECHO: echo })
          const capabilities = all.map(([name, { methods, props = {} }]) => [
            name,
            { methods: Object.keys(methods), props },
          ])
          return structuredClone({
            capabilities: Object.fromEntries(capabilities),
            at: new Date().toISOString(),
            calls,
          })
        },
      ),
      echo: defineMethod(
        'ECHO.echo',
        () => z.tuple([z.unknown()]),
        async ([value]) => {
          calls++
          if (!isWithin(value, maxEchoBytes)) {
            throw new CapabilityError(
              'INVALID_ARGUMENT',
              `Cannot call ECHO.echo(): the value is over ${maxEchoBytes} bytes`,
            )
          }
          return value ?? null
        },
      ),
    },
  }
  return echo
}

/** Counts without recursion or copies, and stops at the limit: the value is the guest's. */
function isWithin(value: unknown, limit: number): boolean {
  const open: unknown[] = [value]
  let size = 0
  while (open.length > 0 && size <= limit) {
    const next = open.pop()
    size += 8
    if (typeof next === 'string') size += next.length
    else if (ArrayBuffer.isView(next)) size += next.byteLength
    else if (typeof next === 'object' && next !== null) {
      for (const [key, item] of Object.entries(next)) {
        size += key.length
        open.push(item)
        if (size > limit) return false
      }
    }
  }
  return size <= limit
}
