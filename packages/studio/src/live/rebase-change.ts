import { changeBetween, type TextChange } from './replace-text.ts'

/**
 * The change that was made to a text, as it is made to what others made of the same text meanwhile. Undefined where both
 * changed the same place.
 */
export function rebaseChange({
  base,
  mine,
  theirs,
}: {
  base: string
  mine: string
  theirs: string
}): TextChange | undefined {
  const own = changeBetween(base, mine)
  const other = changeBetween(base, theirs)
  if (mine === theirs || base === mine) return { at: 0, remove: 0, insert: '' }
  if (base === theirs || own.at + own.remove < other.at) return own
  if (own.at > other.at + other.remove) return { ...own, at: own.at + other.insert.length - other.remove }
  return undefined
}
