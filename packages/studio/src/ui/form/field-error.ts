import { CoherexError } from '@coherex/contract'

/** What the server says about one field of a form. */
export function fieldError(error: Error | null, field: string): string | undefined {
  if (!(error instanceof CoherexError) || !Array.isArray(error.details)) return undefined
  const found = error.details.find((one: unknown) => isAbout(one, field)) as { message?: unknown } | undefined
  if (!found) return undefined
  return typeof found.message === 'string' ? found.message : error.message
}

/** Whether it is about none of the fields. */
export function formError(error: Error | null, fields: readonly string[]): Error | null {
  return fields.some((field) => fieldError(error, field) !== undefined) ? null : error
}

function isAbout(one: unknown, field: string): boolean {
  return typeof one === 'object' && one !== null && 'field' in one && one.field === field
}
