import type { Run, RunRequest, StartedBy } from '@coherex/contract'
import { startedByCaller, type TeamCaller } from '../access/index.ts'
import { createId } from '../base/index.ts'
import type { Program } from '../runtimes/index.ts'
import { hashProgram, workspaceOf } from './run.ts'

/** Where a run comes from besides its caller. */
export interface RunOrigin {
  /** What began it, such as an agent's call; the caller unless said. */
  startedBy?: StartedBy
  /** The run whose program is run again. */
  retryOf?: string
  /** The thread it belongs to; that of its sandbox unless said. */
  threadId?: string | undefined
  /** The block of a conversation whose code it runs. */
  artifact?: { id: string; version: number } | undefined
  /** The tool that is called. */
  tool?: Run['tool']
  /** Seen by its person alone. */
  isPrivate?: boolean | undefined
}

/** A run as it is accepted. */
export function newRun(
  caller: TeamCaller,
  { request, recorded }: { request: RunRequest; recorded: Program },
  { startedBy = startedByCaller(caller), retryOf, threadId, artifact, tool, isPrivate }: RunOrigin,
): Run {
  return {
    id: createId('run'),
    status: 'queued',
    language: request.language,
    runtime: null,
    output: [],
    files: [],
    truncated: false,
    queuedMs: 0,
    durationMs: 0,
    peakMemoryMb: null,
    createdAt: new Date().toISOString(),
    startedAt: null,
    endedAt: null,
    codeHash: hashProgram(recorded),
    createdBy: { id: caller.person.id, name: caller.person.name },
    startedBy,
    ...(retryOf === undefined ? {} : { retryOf }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(artifact && { artifactId: artifact.id, artifactVersion: artifact.version }),
    ...(tool && { tool }),
    ...(isPrivate && { isPrivate }),
    ...workspaceOf(request),
    ...(request.sandboxId === undefined ? {} : { sandboxId: request.sandboxId }),
    signs: [],
    requests: [],
  }
}

/** The end of a run whose turn never came. */
export function cancelledInQueue(run: Run): Run {
  return {
    ...run,
    status: 'cancelled',
    error: { kind: 'cancelled', message: 'The run was cancelled before it began' },
    queuedMs: Math.max(0, Date.now() - Date.parse(run.createdAt)),
    endedAt: new Date().toISOString(),
  }
}

/** The end of a run whose person lost the right to it while it waited. */
export function deniedInQueue(run: Run, lost: string): Run {
  const error = { kind: 'denied' as const, message: `The run was not begun: ${lost}` }
  return { ...cancelledInQueue(run), status: 'failed', error }
}
