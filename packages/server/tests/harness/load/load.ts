import { routes, type Client, type Run } from '@coherex/contract'
import { mixRuns } from './mixed-runs.ts'

export interface LoadReport {
  runs: number
  wrong: { kind: string; fault: string }[]
  /** Ids that two answers shared. */
  doubled: number
  seconds: number
}

/** Sends `count` mixed runs from `clients` callers at once and judges every ending. */
export async function loadWithRuns(
  call: Client,
  { count, clients, seed }: { count: number; clients: number; seed: number },
): Promise<LoadReport> {
  const source = mixRuns(seed)
  const wrong: LoadReport['wrong'] = []
  const ids = new Set<string>()
  let sent = 0
  let doubled = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (sent < count) {
        sent++
        const { kind, request, fault } = source.next().value
        try {
          const run: Run = await call(routes.runs.create, { body: request })
          if (ids.has(run.id)) doubled++
          ids.add(run.id)
          const found = fault(run)
          if (found) wrong.push({ kind, fault: found })
        } catch (error) {
          wrong.push({ kind, fault: `refused: ${String(error)}` })
        }
      }
    }),
  )
  return { runs: count, wrong, doubled, seconds: (performance.now() - started) / 1000 }
}
