import { CoherexError, type Run } from '@coherex/contract'
import { actsFor, findActing, type TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { Runs } from '../runs.ts'
import { endSessions } from './end-sessions.ts'
import { selectCells } from './sandbox-store.ts'
import type { Sandboxes } from './sandboxes.ts'

export interface Rerun {
  runs: Pick<Run, 'id' | 'status'>[]
  left: number
}

/** Runs the cells of a sandbox again in fresh sessions, in their order, up to the first that fails. */
export async function rerunCells(
  { runs, sandboxes, database }: { runs: Runs; sandboxes: Sandboxes; database: Database },
  caller: TeamCaller,
  { id, context }: { id: string; context: string | undefined },
): Promise<Rerun> {
  const { teamId } = caller
  await sandboxes.findUsable(teamId, id)
  const cells = await database.transaction({ team: teamId }, (transaction) =>
    selectCells(transaction, teamId, id, context),
  )
  await endSessions(sandboxes, { teamId, id, context })
  const ended: Rerun['runs'] = []
  for (const [index, { request, code, files, language, context: own }] of cells.entries()) {
    const { stdin, input, limits } = request
    const cell = {
      language,
      code,
      files,
      sandboxId: id,
      context: own,
      ...(stdin === undefined ? {} : { stdin }),
      ...(input === undefined ? {} : { input }),
      ...(limits === undefined ? {} : { limits }),
    }
    const now = await findActing(database, actsFor(caller))
    if ('lost' in now) throw new CoherexError('forbidden', `Cannot run the cells again: ${now.lost}`)
    // its cells stay the ones it has: should one fail now, all of them can be tried again
    const live = await runs.start(now.caller, cell, { isReplay: true })
    const run = await live.ended
    ended.push({ id: run.id, status: run.status })
    if (run.status !== 'succeeded') return { runs: ended, left: cells.length - index - 1 }
  }
  return { runs: ended, left: 0 }
}
