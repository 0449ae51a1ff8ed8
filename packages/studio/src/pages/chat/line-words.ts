export function lineWords({ from, to }: { from: number; to: number }): string {
  return from === to ? `line ${from}` : `lines ${from}–${to}`
}
