import { sql } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'
import { lastVersions } from '../../workspaces/index.ts'

/** How far events were looked at: the last version of each workspace, or when runs were looked at. */
export type Seen = { versions: Record<string, number> } | { until: string }

export interface WatchedEvent {
  event: string
  workspace?: string | undefined
  paths?: string[] | undefined
}

/** Everything up to now: what is watched from here on begins here. */
export async function seenNow(transaction: Transaction, teamId: string, watched: WatchedEvent): Promise<Seen | null> {
  const { event, workspace } = watched
  if (event === 'file-changed') return { versions: await lastVersions(transaction, teamId, workspace) }
  if (event !== 'run-failed') return null
  const { rows } = await transaction.execute<{ now: string }>(sql`SELECT now()::text AS now`)
  return { until: new Date(rows[0]?.now ?? 0).toISOString() }
}
