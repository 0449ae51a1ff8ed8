import { showHidden } from '../../registry/index.ts'

/** Arguments as an approver reads them: one line for each field, and nothing in them is invisible. */
export function showInput(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return showText(toText(input))
  return Object.entries(input)
    .map(([name, value]) => `${showText(name)}: ${showText(toText(value))}`)
    .join('\n')
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
}

/** Line ends stay, because code has many; whatever else cannot be seen stands as its number. */
function showText(text: string): string {
  return showHidden(text).replaceAll('\n', '\n  ')
}
