/** Which row a key leads to; undefined when the key does not move. */
export function nextRow(key: string, current: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return Math.min(current + 1, count - 1)
    case 'ArrowUp':
    case 'k':
      return Math.max(current - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
