/** A duration for people: `12 ms`, `1.4 s`, `200.0 s`. */
export function took(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
