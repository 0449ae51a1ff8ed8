/** A duration for people: `12 ms`, `1.4 s`, `3 m 20 s`, `2 h 5 m`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 59_950) return `${trimZero((milliseconds / 1000).toFixed(1))} s`
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 3600) return join(Math.floor(seconds / 60), 'm', seconds % 60, 's')
  const minutes = Math.round(seconds / 60)
  return join(Math.floor(minutes / 60), 'h', minutes % 60, 'm')
}

function trimZero(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text
}

function join(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}
