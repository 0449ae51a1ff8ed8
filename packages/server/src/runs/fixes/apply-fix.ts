import {
  applyFix,
  CoherexError,
  readLimitFix,
  type FixRequest,
  type Run,
  type RunRequest,
  type Sandbox,
  type SandboxChange,
  type SandboxPackagesChange,
} from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { Preparation } from '../../packages/index.ts'
import { selectCellRows } from '../cells/cell-store.ts'
import { selectRequest } from '../record/run-store.ts'

export interface FixDeps {
  database: Database
  sandboxes: {
    get(teamId: string, id: string): Promise<Sandbox>
    update(caller: TeamCaller, id: string, asked: SandboxChange): Promise<unknown>
    changePackages(
      caller: TeamCaller,
      id: string,
      asked: SandboxPackagesChange & { preparation: Preparation },
    ): Promise<unknown>
  }
}

const longestPreparationMs = 10 * 60_000

/**
 * The request of a failed run with one of the fixes it carries. Refuses any other: what acts is what a person was shown. What a cell has of its
 * sandbox is changed there, for the cells to come as well.
 */
export async function applyFixToRun(
  { database, sandboxes }: FixDeps,
  caller: TeamCaller,
  { run, fix }: { run: Run; fix: FixRequest },
): Promise<RunRequest> {
  const carries = run.error?.fixes?.some(({ kind, value }) => kind === fix.kind && value === fix.value)
  if (!carries) throw new CoherexError('conflict', `Cannot fix run "${run.id}": its error carries no such fix`)
  if (fix.kind === 'give-stdin' && fix.stdin === undefined)
    throw new CoherexError('invalid_input', 'stdin: give-stdin takes the text', { details: [{ field: 'stdin' }] })
  const request = await selectRequest(database, caller.teamId, run.id)
  if (request.sandboxId === undefined) return applyFix(request, fix)
  const notebook = { teamId: caller.teamId, sandboxId: request.sandboxId }
  const cells = await database.transaction({ team: caller.teamId }, (inside) => selectCellRows(inside, notebook))
  const { cellId: _, ...cell } = request
  const cellId = cells.find(({ runId }) => runId === run.id)?.id
  const again = { ...cell, ...(cellId !== undefined && { cellId }) }
  if (fix.kind === 'add-package') {
    const language = run.language === 'python' ? ('python' as const) : ('javascript' as const)
    const preparation = { signal: AbortSignal.timeout(longestPreparationMs) }
    const asked = { language, requirements: [fix.value], remove: [], preparation }
    await sandboxes.changePackages(caller, request.sandboxId, asked)
    return again
  }
  const change = toChange(await sandboxes.get(caller.teamId, request.sandboxId), fix)
  if (!change) return applyFix(again, fix)
  await sandboxes.update(caller, request.sandboxId, change)
  return again
}

function toChange({ network }: Sandbox, fix: FixRequest): SandboxChange | undefined {
  if (fix.kind === 'allow-host') return { network: applyFix({ ...(network && { network }) }, fix).network }
  const limit = fix.kind === 'raise-limit' ? readLimitFix(fix.value) : undefined
  return limit?.name === 'memoryMb' ? { limits: { memoryMb: limit.amount } } : undefined
}
