import { sliceText } from '../../protocol/held-methods.ts'
import type { DescribedError } from './host.ts'
import { encodeResult } from './result.ts'

/** A refusal of the host, as `capabilities/SPEC.md` describes it. */
export class CapabilityError extends Error {
  override readonly name = 'CapabilityError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Gives an error the frames of another stack, which tells more of where it comes from than its own. */
export function placeError(error: Error, from: unknown): void {
  const [frames] = typeof from === 'string' ? (/^[ \t]*at [^]*/m.exec(from) ?? []) : []
  if (frames === undefined) return
  const stack = `${error.name}: ${error.message}\n${frames}`
  Object.defineProperty(error, 'stack', { value: stack, writable: true, configurable: true })
}

// the others are failures of the day (a missing file, a reset connection), not refusals
const refusals: Record<string, true> = {
  LIMIT_EXCEEDED: true,
  URL_NOT_ALLOWED: true,
  METHOD_NOT_ALLOWED: true,
  NOT_GRANTED: true,
  MODULE_NOT_ALLOWED: true,
  EROFS: true,
}

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
  const name = readText(thrown, 'name')
  const message = readText(thrown, 'message')
  const stack = describeStack(thrown)
  if (name === undefined && message === undefined && stack === '')
    return { kind: kindOf(thrown, '', ''), name: '', message: `Uncaught ${describeObject(thrown)}`, stack }
  const described = { name: name ?? 'Error', message: message ?? '' }
  return { kind: kindOf(thrown, described.name, described.message), ...described, stack }
}

const deepestCause = 4
const mostErrors = 5

/** With the stacks of what caused it, of which its own often says nothing. */
function describeStack(thrown: unknown, depth = 0): string {
  if (typeof thrown !== 'object' || thrown === null) return describePlain(thrown)
  const own = readText(thrown, 'stack') ?? (depth > 0 ? describeObject(thrown) : '')
  if (depth >= deepestCause) return own
  const cause = read(thrown, 'cause')
  const errors = read(thrown, 'errors')
  let text = own
  if (cause !== undefined) text += `\n[cause]: ${describeStack(cause, depth + 1)}`
  for (let at = 0; Array.isArray(errors) && at < errors.length && at < mostErrors; at++) {
    text += `\n[cause]: ${describeStack(errors[at], depth + 1)}`
  }
  return sliceText(text, 0, maxText)
}

function describeObject(value: object): string {
  try {
    return encodeResult(value, maxText) ?? 'an object'
  } catch {
    return 'an object' // it is too large, or does not want to be read
  }
}

function kindOf(thrown: object, name: string, message: string): DescribedError['kind'] {
  if (Object.hasOwn(refusals, readText(thrown, 'code') ?? '')) return 'denied'
  return name === 'RangeError' && message === 'Array buffer allocation failed' ? 'memory' : 'runtime'
}

function readText(from: object, key: string): string | undefined {
  const value = read(from, key)
  return typeof value === 'string' ? sliceText(value, 0, maxText) : undefined
}

function read(from: object, key: string): unknown {
  try {
    return (from as Record<string, unknown>)[key]
  } catch {
    return undefined
  }
}

function describePlain(value: unknown): string {
  return String(value)
}
