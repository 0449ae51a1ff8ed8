import { CoherexError, type Run } from '@coherex/contract'
import { actsFor, findActing, type TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { selectNotebookCells, type CellToRun } from '../cells/select-notebook-cells.ts'
import type { Runs } from '../runs.ts'
import { endSessions } from './end-sessions.ts'
import { selectCells } from './sandbox-store.ts'
import type { Sandboxes } from './sandboxes.ts'

export interface Rerun {
  runs: Pick<Run, 'id' | 'status'>[]
  left: number
}

export interface RerunRequest {
  id: string
  context?: string | undefined
  /** Those that succeeded, as they were; or those of the notebook as they are now, from first to last. */
  cells?: 'succeeded' | 'all' | undefined
  /** In fresh sessions, unless false. */
  restart?: boolean | undefined
}

/** The cells that a request means, in their order. */
export function findCells(
  database: Database,
  teamId: string,
  { id, context, cells = 'succeeded' }: RerunRequest,
): Promise<CellToRun[]> {
  return database.transaction({ team: teamId }, (transaction): Promise<CellToRun[]> =>
    cells === 'all'
      ? selectNotebookCells(transaction, { teamId, sandboxId: id }, context)
      : selectCells(transaction, teamId, id, context),
  )
}

/** Runs the cells of a sandbox again, in their order, up to the first that fails. */
export async function rerunCells(
  { runs, sandboxes, database }: { runs: Runs; sandboxes: Sandboxes; database: Database },
  caller: TeamCaller,
  { id, context, cells: which = 'succeeded', restart = true }: RerunRequest,
): Promise<Rerun> {
  const { teamId } = caller
  await sandboxes.findUsable(teamId, id)
  const isAll = which === 'all'
  const cells = await findCells(database, teamId, { id, context, cells: which })
  if (restart) await endSessions(sandboxes, { teamId, id, context })
  const ended: Rerun['runs'] = []
  for (const [index, { runId, request, code, files, language, context: own, cellId }] of cells.entries()) {
    const { stdin, input, limits } = request
    const cell = {
      language,
      code,
      files,
      sandboxId: id,
      context: own,
      ...(cellId === null ? {} : { cellId }),
      ...(stdin === undefined ? {} : { stdin }),
      ...(input === undefined ? {} : { input }),
      ...(limits === undefined ? {} : { limits }),
      // somebody sits before the notebook
      ...(isAll ? { interactive: true } : {}),
    }
    const now = await findActing(database, actsFor(caller))
    if ('lost' in now) throw new CoherexError('forbidden', `Cannot run the cells again: ${now.lost}`)
    // a replay's cells stay the ones the sandbox has: should one fail now, all of them can be tried again
    const live = await runs.start(now.caller, cell, {
      isReplay: !isAll,
      keepsText: true,
      ...(runId === null ? {} : { retryOf: runId }),
    })
    const run = await live.ended
    ended.push({ id: run.id, status: run.status })
    if (run.status !== 'succeeded') return { runs: ended, left: cells.length - index - 1 }
  }
  return { runs: ended, left: 0 }
}
