import type { DescribedError } from './host.ts'

/** A refusal of the host, as `capabilities/SPEC.md` describes it. */
export class CapabilityError extends Error {
  override readonly name = 'CapabilityError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

// the others are failures of the day (a missing file, a reset connection), not refusals
const refusals = [
  'LIMIT_EXCEEDED',
  'URL_NOT_ALLOWED',
  'METHOD_NOT_ALLOWED',
  'NOT_GRANTED',
  'MODULE_NOT_ALLOWED',
  'EROFS',
]

const maxText = 64 * 1024

/** An uncaught value as strings. It is the guest's, so every look at it may throw. */
export function describeError(thrown: unknown): DescribedError {
  if (typeof thrown !== 'object' || thrown === null) {
    return {
      kind: 'runtime',
      name: '',
      message: `Uncaught ${typeof thrown === 'string' ? thrown : describePlain(thrown)}`,
      stack: '',
    }
  }
  const name = readText(thrown, 'name') ?? 'Error'
  const message = readText(thrown, 'message') ?? ''
  const stack = readText(thrown, 'stack') ?? ''
  return { kind: kindOf(thrown, name, message), name, message, stack }
}

function kindOf(thrown: object, name: string, message: string): DescribedError['kind'] {
  if (refusals.includes(readText(thrown, 'code') ?? '')) return 'denied'
  if (name === 'RangeError' && /^(Array buffer allocation failed|Invalid array length)$/.test(message)) {
    return message.startsWith('Array buffer') ? 'memory' : 'runtime'
  }
  return 'runtime'
}

function readText(from: object, key: string): string | undefined {
  try {
    const value = (from as Record<string, unknown>)[key]
    return typeof value === 'string' ? value.slice(0, maxText) : undefined
  } catch {
    return undefined
  }
}

function describePlain(value: unknown): string {
  return typeof value === 'symbol' ? Symbol.prototype.toString.call(value) : String(value)
}
