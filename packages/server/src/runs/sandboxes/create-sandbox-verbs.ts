import type { Sandbox } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { Runs } from '../runs.ts'
import { resetSessions, type SessionName } from './end-sessions.ts'
import { rerunCells, type Rerun } from './rerun-cells.ts'
import type { Sandboxes } from './sandboxes.ts'
import { recordShare, unshareSandbox } from './share-sandbox.ts'

export interface SandboxVerbDeps {
  database: Database
  runs: Runs
  sandboxes: Sandboxes
}

export type SandboxVerbs = ReturnType<typeof createSandboxVerbs>

/** What doors do to the sessions and shared ports of a sandbox. */
export function createSandboxVerbs(deps: SandboxVerbDeps) {
  return {
    resetSessions: (name: SessionName): Promise<Sandbox> => resetSessions(deps, name),
    rerunCells: (caller: TeamCaller, cells: { id: string; context: string | undefined }): Promise<Rerun> =>
      rerunCells(deps, caller, cells),
    recordShare: (caller: TeamCaller, shared: { id: string; port: number }): Promise<void> =>
      recordShare(deps, caller, shared),
    unshare: (caller: TeamCaller, id: string): Promise<void> => unshareSandbox(deps, caller, id),
  }
}
