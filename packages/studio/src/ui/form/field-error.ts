import { CoherexError } from '@coherex/contract'

/** What the server says about one field of a form. */
export function fieldError(error: Error | null, field: string): string | undefined {
  const found = detailsOf(error).find((one) => isAbout(one, field)) as { message?: unknown } | undefined
  if (!found) return undefined
  return typeof found.message === 'string' ? found.message : error?.message
}

/** The error, unless all of it is said at these fields. */
export function formError(error: Error | null, fields: readonly string[]): Error | null {
  const details = detailsOf(error)
  const isSaid = details.length > 0 && details.every((one) => fields.some((field) => isAbout(one, field)))
  return isSaid ? null : error
}

function detailsOf(error: Error | null): readonly unknown[] {
  return error instanceof CoherexError && Array.isArray(error.details) ? error.details : []
}

function isAbout(one: unknown, field: string): boolean {
  return typeof one === 'object' && one !== null && 'field' in one && one.field === field
}
