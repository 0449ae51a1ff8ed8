/** Whether a value has parts to open. */
export function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

export function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** A branch in a few words: its size when it is open, the start of its content when not. */
export function previewOf(value: object, open: boolean): string {
  const isList = Array.isArray(value)
  const keys = Object.keys(value)
  if (open || isList) return isList ? `[${count(value.length, 'item')}]` : `{${count(keys.length, 'key')}}`
  const first = keys.slice(0, 4).join(', ')
  return `{ ${first}${keys.length > 4 ? ', …' : ''} }`
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
