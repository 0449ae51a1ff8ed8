import { CoherexError } from '@coherex/contract'
import { rowTouchMs } from './files/save-sandbox.ts'
import type { SandboxRow } from './sandbox.ts'

/** Throws when a sandbox has ended for good. */
export function checkNotEnded({ id, status, reason }: Pick<SandboxRow, 'id' | 'status' | 'reason'>): void {
  if (status !== 'ended') return
  throw new CoherexError('conflict', `Cannot use sandbox "${id}": it has ended, ${reason ?? 'for good'}`)
}

/**
 * Throws when a sandbox has ended or another server process holds it. It lives in one process; one whose process fell silent
 * long ago may be taken over.
 */
export function checkUsable(row: SandboxRow, serverId: string): void {
  checkNotEnded(row)
  if (row.status !== 'running' || row.serverId === serverId) return
  if (Date.now() - row.lastUsedAt.getTime() > row.idleTimeoutMs + 2 * rowTouchMs) return
  throw new CoherexError('unavailable', `Cannot use sandbox "${row.id}": another server process holds it`)
}
