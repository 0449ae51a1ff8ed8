import {
  outgrewIsolate,
  type PackageLock,
  type Receipt,
  type Run,
  type RunError,
  type RunRequest,
  type RuntimeName,
} from '@coherex/contract'
import { storable, storableResult, type Log } from '../../base/index.ts'
import type { Capabilities, ShellPool } from '../../capabilities/index.ts'
import type { Egress, EgressRules } from '../../egress/index.ts'
import type { Choice, Limits, Outcome, ProducedFile, Program, Router } from '../../runtimes/index.ts'
import type { LiveRun } from '../live-run.ts'
import { byKeep } from '../record/keep-files.ts'
import { toReceipt, type Environment } from '../variables/environment.ts'
import { bindCapabilities } from './bind-capabilities.ts'
import { largerLimits, movedReceipt } from './escalate.ts'
import type { Meter } from './meter.ts'

export interface ExecuteDeps {
  router: Router
  egress: Egress
  shells: ShellPool
  meter: Meter
  log: Log
}

export interface Execution {
  live: LiveRun
  request: RunRequest
  program: Program
  /** The packages it has beyond those that are built in. */
  lock?: PackageLock | undefined
  base: NonNullable<Receipt['base']>
  /** Of a run of its own; a cell has its sandbox's. */
  environment: Environment
  limits: Limits
  network: EgressRules | undefined
  choice: Choice | undefined
  /** The run that turned out to need more room, whose program this is. */
  movedFrom: Run | undefined
  /** What the code holds besides what every run has. */
  capabilities: Capabilities
  /** The code has begun; told again when it begins again where there is more room. */
  onBegun?: (() => void) | undefined
}

/** A run at its end, and what it had, for whoever explains how it ended. */
export interface Executed {
  run: Run
  files: ProducedFile[]
  limits: Limits
  /** What it might reach; undefined where it had no network. */
  allow: readonly string[] | undefined
  /** Why it had to do without packages that it imports. */
  notAdded?: string | undefined
}

/** Runs the program to its end and says how it ended, as it is to be recorded. Never throws. */
export async function executeRun(
  { router, egress, shells, meter, log }: ExecuteDeps,
  {
    live,
    request,
    program,
    lock,
    base,
    environment,
    limits,
    network,
    choice,
    movedFrom,
    capabilities,
    onBegun,
  }: Execution,
): Promise<Executed> {
  const left = performance.now()
  const queuedMs = Math.max(0, Date.now() - Date.parse(live.run.createdAt))
  live.set({ status: 'loading', queuedMs })
  const signs: Run['signs'] = []
  let startMs = 0

  const bound = bindCapabilities({
    program,
    isWorkspace: request.workspaceId !== undefined,
    limits,
    network,
    egress,
    shells,
    onSign: (sign) => signs.push(sign),
  })
  const carryOut = (
    how: { only?: RuntimeName | undefined; choice?: Choice | undefined },
    within: Limits,
    moved: Run | undefined,
  ) =>
    router.run(program, {
      ...how,
      limits: within,
      signal: live.signal,
      // files and commands have clocks of their own
      capabilities: program.fixed ? capabilities : { ...bound.capabilities, ...capabilities },
      domain: live.teamId,
      onRoute: (receipt) =>
        live.route(storable(toReceipt(moved ? movedReceipt(receipt, moved) : receipt, environment, { lock, base }))),
      onStart() {
        startMs = performance.now() - left
        live.set({ status: 'running', startedAt: new Date().toISOString() })
        onBegun?.()
      },
      onOutput: (line) => live.print(storable(line)),
      ...(request.keep && { keep: request.keep }),
      ...(bound.network && { network: bound.network }),
    })
  let outcome: Outcome
  let had = limits
  try {
    outcome = await carryOut({ only: request.runtime, choice }, limits, movedFrom)
    const why = request.escalate ? outgrewIsolate({ runtime: live.run.runtime, error: outcome.error }) : undefined
    if (why !== undefined) {
      live.print({ at: outcome.durationMs, stream: 'info', text: `[${why}: it runs again in a process sandbox]` })
      had = largerLimits(limits)
      outcome = await carryOut({ only: 'process' }, had, { ...live.run, error: outcome.error })
    }
  } catch (error) {
    log.error({ error, run: live.id }, 'a run could not be carried out')
    outcome = internalOutcome()
  }
  const requests = await bound.endRequests()
  const scratch = await bound.files().catch(() => []) // the guest's files were too odd to read: there are none to keep
  await bound.close()
  if (live.run.runtime) meter.record({ runtime: live.run.runtime.name, outcome, queuedMs, startMs })

  const kept = byKeep(scratch, request.keep)
  if (!kept) live.print({ at: outcome.durationMs, stream: 'stderr', text: tooMuchKeep })
  // a link has no bytes of its own: kept, it would be an empty file, and empty what it stands for in a workspace
  const written = outcome.files.filter(({ linkTarget }) => linkTarget === undefined)
  const files = mergeFiles(written, kept ?? [])
  return {
    files,
    limits: had,
    allow: request.network?.allow,
    run: {
      ...live.run,
      ...(outcome.kept && live.run.runtime && { runtime: { ...live.run.runtime, kept: true } }),
      status: outcome.status,
      ...(outcome.result === undefined ? {} : { result: storableResult(outcome.result) }),
      ...(outcome.resultText === undefined ? {} : { resultText: storable(outcome.resultText) }),
      ...(outcome.error ? { error: storable(withExitCode(outcome.error, outcome.exitCode)) } : {}),
      files: files.map(({ path, bytes }) => ({ path, size: bytes.length })),
      truncated: outcome.truncated,
      // a tenth of a millisecond is what a clock between two processes can tell
      durationMs: Math.round(outcome.durationMs * 10) / 10,
      peakMemoryMb: outcome.peakMemoryMb,
      endedAt: new Date().toISOString(),
      signs: storable([...outcome.signs, ...signs]),
      // a guest may ask for any text as a URL
      requests: storable(requests),
    },
  }
}

const tooMuchKeep =
  '[files of FILES were not kept: the patterns of "keep" take too long to match with so many of them]\n'

/** Files of the sandbox and of the scratch space; where both have one, the sandbox's counts. */
function mergeFiles(sandbox: ProducedFile[], scratch: ProducedFile[]): ProducedFile[] {
  const paths = new Set(sandbox.map((file) => file.path))
  return [...sandbox, ...scratch.filter((file) => !paths.has(file.path))].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** The outcome of what was our fault. */
export function internalOutcome(): Outcome {
  return {
    status: 'failed',
    error: { kind: 'internal', message: 'The run could not be carried out: try again' },
    files: [],
    truncated: false,
    durationMs: 0,
    peakMemoryMb: null,
    signs: [],
  }
}

function withExitCode(error: RunError, exitCode: number | undefined): RunError {
  return exitCode === undefined ? error : { ...error, exitCode }
}
