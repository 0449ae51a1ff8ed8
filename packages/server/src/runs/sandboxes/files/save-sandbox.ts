import type { Blobs, Database, ReleaseBlobs } from '../../../base/index.ts'
import type { Allowances } from '../../allowances.ts'
import type { OpenSandbox } from '../open-sandbox.ts'
import { updateSandbox, updateSaved } from '../sandbox-store.ts'
import { keepSessions, type SandboxRow } from '../sandbox.ts'
import { collectChanges, type Saving } from './save-files.ts'

export interface SaveDeps {
  database: Database
  blobs: Blobs
  releaseBlobs: ReleaseBlobs
  allowances: Allowances
}

/** How stale the row of a sandbox in use may be. */
export const rowTouchMs = 60_000

/** Saves what changed of a sandbox's files within the team's storage, with what is known of its sessions. */
export function saveSandbox({ database, blobs, releaseBlobs, allowances }: SaveDeps, open: OpenSandbox): Promise<void> {
  return open.inTurn(async () => {
    const { teamId, id } = open.row
    const { quotas, storedMb } = await allowances.of(teamId)
    const roomBytes = Math.max(0, (quotas.storageMb - storedMb) * 1024 * 1024)
    const { inside, known, uploaded } = open
    const saving = await collectChanges({ inside, known, uploaded, blobs, teamId, roomBytes })
    const change = {
      sessions: keepSessions(inside),
      leftOut: saving.leftOut,
      outsideLock: hasOwnPackages(saving.known.keys()),
      lastUsedAt: new Date(open.lastUsedAt),
    }
    if (!isNews(open, saving, change)) return
    const released = await database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
      const before = await updateSaved(transaction, { teamId, id }, saving)
      await updateSandbox(transaction, teamId, id, change)
      return before
    })
    releaseBlobs(teamId, released)
    void allowances.count(teamId, { seconds: 0, bytes: sizeOf(saving.known.values()) - sizeOf(known.values()) })
    open.known = saving.known
    open.uploaded.clear()
    open.row = { ...open.row, ...change }
  })
}

function isNews(
  { row }: OpenSandbox,
  { written, removed }: Saving,
  change: Pick<SandboxRow, 'sessions' | 'leftOut' | 'outsideLock' | 'lastUsedAt'>,
): boolean {
  if (written.length > 0 || removed.length > 0 || change.leftOut !== row.leftOut) return true
  if (change.outsideLock !== row.outsideLock) return true
  if (change.lastUsedAt.getTime() - row.lastUsedAt.getTime() >= rowTouchMs) return true
  return JSON.stringify(change.sessions) !== JSON.stringify(row.sessions)
}

/** Whether pip or npm themselves have put packages among the files. */
function hasOwnPackages(paths: Iterable<string>): boolean {
  for (const path of paths) if (installed.test(path)) return true
  return false
}

// what they write last
const installed = /(^|\/)(site-packages\/[^/]+\.dist-info\/RECORD|node_modules\/\.package-lock\.json)$/

function sizeOf(files: Iterable<{ size: number }>): number {
  let bytes = 0
  for (const { size } of files) bytes += size
  return bytes
}
