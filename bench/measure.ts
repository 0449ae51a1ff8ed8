/** A goal beside what was measured. */
export interface Row {
  what: string
  value: number
  unit: string
  goal: string
  bare?: number
  ratio?: number
  reached: boolean
}

/** Median time of `count` calls, one after the other, in milliseconds. */
export async function sample(count: number, run: (at: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < count; at++) {
    const began = performance.now()
    await run(at)
    times.push(performance.now() - began)
  }
  return median(times)
}

/** Calls per second of so many clients that each wait for their call before they make the next. */
export async function sustain(
  clients: number,
  ms: number,
  run: (client: number, at: number) => Promise<unknown>,
): Promise<number> {
  let done = 0
  const began = performance.now()
  const deadline = began + ms
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() < deadline) {
        await run(client, done)
        done++
      }
    }),
  )
  return (done / (performance.now() - began)) * 1000
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
