import type { Run } from '@coherex/contract'
import type { Database } from '../../base/index.ts'

/** How far an open run is: its row as JSON text, made once, and what to do when it was kept. */
export interface CheckpointWrite {
  teamId: string
  id: string
  run: string
  onKept(): void
}

/** What is kept of an open run: where it runs, since when, and the lines of its output from number `first` on, each as JSON. */
export function toCheckpoint(run: Run, { first, lines }: { first: number; lines: string[] }): string {
  const { id, status, runtime, queuedMs, startedAt } = run
  const row = JSON.stringify({ id, status, receipt: runtime, queued_ms: queuedMs, started_at: startedAt, first })
  return `${row.slice(0, -1)},"lines":[${lines.join(',')}]}`
}

/** Keeps how far runs are, of whatever teams, in one round trip. One that has ended meanwhile is left as it is. */
export async function writeCheckpoints(database: Database, writes: CheckpointWrite[]): Promise<void> {
  const teams = Map.groupBy(writes, ({ teamId }) => teamId)
  const batches = [...teams].map(
    ([teamId, own]) => `{"team_id":${JSON.stringify(teamId)},"runs":[${own.map(({ run }) => run).join(',')}]}`,
  )
  const kept = new Set((await database.call('checkpoint_runs', `[${batches.join(',')}]`)) as string[])
  for (const { id, onKept } of writes) if (kept.has(id)) onKept()
}
