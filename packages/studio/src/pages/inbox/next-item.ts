/** What takes the place of an item that is decided: the next one of the list, or the one before at its end. */
export function nextItem(ids: readonly string[], decided: string): string | undefined {
  const index = ids.indexOf(decided)
  return ids[index + 1] ?? ids[index - 1]
}

/** One step down or up the list; its first item from something that is not in it. */
export function stepItem(ids: readonly string[], from: string | undefined, step: 1 | -1): string | undefined {
  const index = from === undefined ? -1 : ids.indexOf(from)
  if (index < 0) return ids[0]
  return ids[Math.min(Math.max(index + step, 0), ids.length - 1)]
}
