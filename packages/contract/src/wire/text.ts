import { z } from 'zod'

export const unstorable = 'must not contain NUL or half a character'

/** Text that a caller sends and we keep: PostgreSQL takes neither NUL nor half a surrogate pair, in text or in JSON. */
export function text() {
  return z.string().refine(isStorable, { error: unstorable, abort: true })
}

/**
 * Text of any characters, for what does not end in the store as it came: contents of files, code and input of guests,
 * and definitions, whose parser names the line.
 */
export function anyText() {
  return z.string()
}

function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed()
}

/** The path to the first text or key that cannot be kept, at any depth; undefined when all can. */
export function findUnstorable(value: unknown): PropertyKey[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, one] of Object.entries(value)) {
    const found = isStorable(key) ? findUnstorable(one) : []
    if (found) return [key, ...found]
  }
  return undefined
}
