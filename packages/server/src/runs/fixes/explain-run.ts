import {
  CoherexError,
  largestLimits,
  largestSandbox,
  type Run,
  type RunError,
  type RunRequest,
} from '@coherex/contract'
import { storable } from '../../base/index.ts'
import type { Egress } from '../../egress/index.ts'
import type { Packages } from '../../packages/index.ts'
import { allowedPackage } from '../../runtimes/index.ts'
import type { Allowances } from '../allowances.ts'
import type { Executed } from '../execute/execute-run.ts'
import type { Sandboxes } from '../sandboxes/sandboxes.ts'
import { explainError } from './explain-error.ts'

export interface ExplainDeps {
  allowances: Pick<Allowances, 'of'>
  egress: Pick<Egress, 'allowable'>
  sandboxes: Pick<Sandboxes, 'usage'>
  packages: Pick<Packages, 'refusal' | 'missing'>
}

/** The run with what its error means to a person and what they can do, within what their team may ask for. */
export async function explainRun(
  deps: ExplainDeps,
  { run, limits, allow, notAdded }: Omit<Executed, 'files'>,
  { teamId, request, output }: { teamId: string; request: RunRequest; output: Run['output'] },
): Promise<Run> {
  const { error } = run
  if (!error || run.status !== 'failed') return run
  const isCell = request.sandboxId !== undefined
  const explained = explainError({
    error,
    language: run.language,
    runtime: run.runtime?.name,
    place: isCell ? 'sandbox' : 'run',
    output,
    requests: run.requests,
    signs: run.signs,
    hasStdin: request.stdin !== undefined,
    limits,
    most: await mostOf(deps, { teamId, run, memoryMb: isCell ? limits.memoryMb : undefined }),
    allow,
    allowable: (url) => deps.egress.allowable(url),
  })
  return { ...run, error: storable(await withinRules(deps, { teamId, run, error: explained, notAdded })) }
}

/** Offers a package only where it may be added; elsewhere the line says why not. */
async function withinRules(
  { packages }: ExplainDeps,
  { teamId, run, error, notAdded }: { teamId: string; run: Run; error: RunError; notAdded: string | undefined },
): Promise<RunError> {
  const { fixes = [], summary = '', ...rest } = error
  const added = fixes.find(({ kind }) => kind === 'add-package')
  const isScript = run.language !== 'python'
  const isBuiltIn = isScript && run.sandboxId === undefined && allowedPackage(added?.value ?? '') !== undefined
  if (!added || isBuiltIn) return error
  const language = isScript ? 'javascript' : 'python'
  const requirements = [added.value]
  const refusal = await packages
    .refusal(teamId, language, requirements)
    .then((refused) => refused ?? packages.missing(teamId, { language, requirements }))
    .catch(asRefusal)
  // what the code imports was tried already
  const why = refusal?.message ?? (isScript ? notAdded : undefined)
  if (why === undefined) return error
  const others = fixes.filter((one) => one !== added)
  return { ...rest, summary: `${summary}. ${why}`, ...(others.length > 0 && { fixes: others }) }
}

/** A name that no registry can have, or a database that is away: either way it is not offered. */
function asRefusal(error: unknown): CoherexError {
  return error instanceof CoherexError ? error : new CoherexError('unavailable', 'Packages cannot be added right now')
}

/** What the team may still ask for: a cell has the memory of its sandbox, which counts while it is awake. */
async function mostOf(
  { allowances, sandboxes }: ExplainDeps,
  { teamId, run, memoryMb }: { teamId: string; run: Run; memoryMb: number | undefined },
) {
  // without the database nothing is known of quotas; whoever asks for too much is told so then
  const grant = await allowances.of(teamId).catch(() => undefined)
  if (!grant) return largestLimits
  const { quotas, usedSeconds } = grant
  const leftMs = Math.max(0, (quotas.runSecondsPerDay - usedSeconds) * 1000 - run.durationMs)
  const leftMb = quotas.sandboxMemoryMb - sandboxes.usage(teamId).sandboxMemoryMb
  return {
    ...largestLimits,
    timeoutMs: Math.min(largestLimits.timeoutMs, leftMs),
    ...(memoryMb !== undefined && { memoryMb: Math.min(largestSandbox.memoryMb, memoryMb + leftMb) }),
  }
}
