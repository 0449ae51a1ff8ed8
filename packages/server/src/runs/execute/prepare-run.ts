import { CoherexError, type RunRequest } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { EgressRules } from '../../egress/index.ts'
import type { Choice, FixedWorld, Limits, Router } from '../../runtimes/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'
import type { RunOrigin } from '../new-run.ts'
import { toStoredRequest } from '../record/write-runs.ts'
import { toLimits, toProgram } from '../run.ts'
import { checkCell } from '../sandboxes/execute-cell.ts'
import type { Sandboxes } from '../sandboxes/sandboxes.ts'
import { readEnvironment, toEnv, type Environment } from '../variables/environment.ts'
import { toNetworkRules } from './bind-capabilities.ts'
import { checkEntry } from './check-entry.ts'
import { checkFiles } from './check-files.ts'
import { takeWorkspace, type WorkspaceProgram } from './workspace-run.ts'

export interface PrepareDeps {
  database: Database
  router: Router
  sandboxes: Sandboxes
  workspaces: Workspaces
}

/** What a program is run with that no request can ask for. */
export interface PrepareOptions {
  /** A clock and randomness for every run of the program; such a one holds nothing but the capabilities it is given. */
  fixed?: FixedWorld
  /** What the code finds in its environment where that was read before, for a program that is run again. */
  environment?: Environment
  /** For code that waits more than it works. */
  cpuMs?: number
}

/** A request with all that its run needs, read and checked. */
export interface PreparedRun extends WorkspaceProgram {
  environment: Environment
  limits: Limits
  network: EgressRules | undefined
  /** The runtime that takes it, and why; undefined for a cell, which its sandbox takes. */
  choice: Choice | undefined
  /** The request as it is kept: made once, an input may have very many parts. */
  stored: string
  /** What it holds in memory for itself; files of workspaces are shared. */
  bytes: number
}

/** Reads what a run needs; refuses what nothing here takes, before it is accepted. */
export async function prepareRun(
  { database, router, sandboxes, workspaces }: PrepareDeps,
  caller: TeamCaller,
  { asked, options }: { asked: RunRequest; options: PrepareOptions & Pick<RunOrigin, 'retryOf'> },
): Promise<PreparedRun> {
  const { teamId } = caller
  // the code of what is run again may be that of a file without any
  if (options.retryOf === undefined) checkEntry(asked)
  const limits = { ...toLimits(asked), ...(options.cpuMs !== undefined && { cpuMs: options.cpuMs }) }
  const network = toNetworkRules(asked)
  const own = { ...toProgram(asked), ...(options.fixed && { fixed: options.fixed }) }
  const taken = await takeWorkspace(workspaces, caller, { request: asked, program: own, limits })
  const { request, recorded } = taken
  const { workspaceId, env = {}, sandboxId } = request
  const environment =
    options.environment ?? (await readEnvironment(database, teamId, { workspaceId, env, from: 'run' }))
  const program = { ...taken.program, env: toEnv(environment) }
  checkCell(request)
  checkFiles(program, limits)
  const choice = sandboxId === undefined ? router.choose(program, request.runtime) : undefined
  if (sandboxId !== undefined) await checkPlace(sandboxes, teamId, sandboxId)
  const stored = toStoredRequest(request)
  const bytes = stored.length + sizeOf(asked)
  return { request, program, recorded, environment, limits, network, choice, stored, bytes }
}

function sizeOf({ code, files = {} }: RunRequest): number {
  const contents = Object.values(files).map((file) => (typeof file === 'string' ? file : file.base64))
  return contents.reduce((sum, { length }) => sum + length, code.length)
}

async function checkPlace(sandboxes: Sandboxes, teamId: string, sandboxId: string): Promise<void> {
  const { status } = await sandboxes.find(teamId, sandboxId)
  if (status === 'ended') throw new CoherexError('conflict', `Cannot run in sandbox "${sandboxId}": it has ended`)
}
