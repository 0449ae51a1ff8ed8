import { CoherexError, type Receipt, type RunRequest } from '@coherex/contract'
import type { TeamCaller } from '../access/index.ts'
import type { Database } from '../base/index.ts'
import type { EgressRules } from '../egress/index.ts'
import type { Packages } from '../packages/index.ts'
import type { Choice, FixedWorld, KeptProgram, Limits, Router } from '../runtimes/index.ts'
import { privateToOf, type Workspaces } from '../workspaces/index.ts'
import { checkNeeded, toComeSet } from './add-packages.ts'
import { selectCellRow } from './cells/cell-store.ts'
import { toNetworkRules } from './execute/bind-capabilities.ts'
import { checkEntry } from './execute/check-entry.ts'
import { checkFiles } from './execute/check-files.ts'
import { namesAsked, splitPackages, type NeededPackages, type PythonPackages } from './execute/needed-packages.ts'
import { takeWorkspace, type WorkspaceProgram } from './execute/workspace-run.ts'
import type { RunOrigin } from './new-run.ts'
import { toStoredRequest } from './record/write-runs.ts'
import { toLimits, toProgram } from './run.ts'
import { checkCell } from './sandboxes/execute-cell.ts'
import type { SandboxRow } from './sandboxes/sandbox.ts'
import type { Sandboxes } from './sandboxes/sandboxes.ts'
import { readEnvironment, toEnv, type Environment } from './variables/environment.ts'

export interface PrepareDeps {
  database: Database
  router: Router
  sandboxes: Sandboxes
  workspaces: Workspaces
  packages: Packages
}

/** What a program is run with that no request can ask for. */
export interface PrepareOptions {
  /** A clock and randomness for every run of the program; such a one holds nothing but the capabilities it is given. */
  fixed?: FixedWorld
  /** What the code finds in its environment where that was read before, for a program that is run again. */
  environment?: Environment
  /** The packages of the run that is run again. */
  lockHash?: string | undefined
  /** For code that waits more than it works. */
  cpuMs?: number
  /** The same program comes again: what is prepared for it may be kept. */
  kept?: KeptProgram
}

/** A request with all that its run needs, read and checked. */
export interface PreparedRun extends WorkspaceProgram {
  environment: Environment
  /** What its program needs beyond what is built in; its set is to come. */
  needed: NeededPackages | undefined
  /** What its program says it needs and cannot be read. */
  unread: string | undefined
  base: NonNullable<Receipt['base']>
  limits: Limits
  network: EgressRules | undefined
  /** The runtime that takes it, and why; undefined for a cell, which its sandbox takes. */
  choice: Choice | undefined
  /** The thread of the sandbox that a cell is run in. */
  threadId: string | undefined
  /** Its code or its place is seen by its person alone. */
  isPrivate: boolean
  /** The request as it is kept: made once, an input may have very many parts. */
  stored: string
  /** What it holds in memory for itself; files of workspaces are shared. */
  bytes: number
}

/** Reads what a run needs; refuses what nothing here takes, before it is accepted. */
export async function prepareRun(
  { database, router, sandboxes, workspaces, packages }: PrepareDeps,
  caller: TeamCaller,
  { asked, options }: { asked: RunRequest; options: PrepareOptions & Pick<RunOrigin, 'retryOf'> },
): Promise<PreparedRun> {
  const { teamId } = caller
  // the code of what is run again may be that of a file without any
  if (options.retryOf === undefined) checkEntry(asked)
  const limits = { ...toLimits(asked), ...(options.cpuMs !== undefined && { cpuMs: options.cpuMs }) }
  const network = toNetworkRules(asked)
  const own = {
    ...toProgram(asked),
    ...(options.fixed && { fixed: options.fixed }),
    ...(options.kept && { kept: options.kept }),
  }
  const taken = await takeWorkspace(workspaces, caller, { request: asked, program: own, limits })
  const { request, recorded } = taken
  const { workspaceId, env = {}, sandboxId } = request
  const environment =
    options.environment ?? (await readEnvironment(database, teamId, { workspaceId, env, from: 'run' }))
  checkCell(request)
  // a cell has what its sandbox has, and one with a fixed clock nothing from outside
  const isAlone = sandboxId === undefined && options.fixed === undefined
  const {
    builtIn,
    base,
    needed: named,
    unread,
  } = splitPackages(
    request,
    isAlone ? taken.program : { ...taken.program, code: '', files: {} },
    pythonPackagesOf(router),
  )
  const needed = named && (await checkNeeded(packages, teamId, named))
  const program = {
    ...{ ...taken.program, env: toEnv(environment), packages: [...builtIn, ...namesAsked(needed)] },
    ...(needed && { set: toComeSet(needed) }),
  }
  checkFiles(program, limits)
  const choice = sandboxId === undefined ? router.choose(program, request.runtime) : undefined
  const place = sandboxId === undefined ? undefined : await checkPlace(sandboxes, teamId, sandboxId)
  const threadId = place?.threadId ?? undefined
  const privateTo = workspaceId === undefined ? place?.privateTo : await privateToOf(database, teamId, workspaceId)
  const isPrivate = typeof privateTo === 'string'
  // what is run again may be of a cell that is gone
  if (sandboxId !== undefined && request.cellId !== undefined && options.retryOf === undefined) {
    const { cellId } = request
    await database.transaction({ team: teamId }, (transaction) =>
      selectCellRow(transaction, { teamId, sandboxId }, cellId),
    )
  }
  const stored = toStoredRequest(request)
  const bytes = stored.length + sizeOf(asked)
  const packagesOf = { needed, unread, base }
  const ofThread = { threadId, isPrivate }
  return { request, program, recorded, environment, ...packagesOf, limits, network, choice, ...ofThread, stored, bytes }
}

function pythonPackagesOf({ runtimes }: Router): PythonPackages {
  return runtimes.map((one) => one.language?.('python')).find((one) => one?.packages !== undefined) ?? {}
}

function sizeOf({ code, files = {} }: RunRequest): number {
  const contents = Object.values(files).map((file) => (typeof file === 'string' ? file : file.base64))
  return contents.reduce((sum, { length }) => sum + length, code.length)
}

/** Refuses a sandbox that nothing can run in; answers who sees what is run there. */
async function checkPlace(
  sandboxes: Sandboxes,
  teamId: string,
  sandboxId: string,
): Promise<Pick<SandboxRow, 'threadId' | 'privateTo'>> {
  const { status, threadId, privateTo } = await sandboxes.find(teamId, sandboxId)
  if (status === 'ended') throw new CoherexError('conflict', `Cannot run in sandbox "${sandboxId}": it has ended`)
  return { threadId, privateTo }
}
