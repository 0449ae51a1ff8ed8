import type { Sandbox } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { Runs } from '../runs.ts'
import { resetSessions, type SessionName } from './end-sessions.ts'
import { findCells, rerunCells, type Rerun, type RerunRequest } from './rerun-cells.ts'
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
    rerunCells: (caller: TeamCaller, cells: RerunRequest): Promise<Rerun> => rerunCells(deps, caller, cells),
    /** The runs that rerunCells() would do again. */
    async cellRuns(teamId: string, cells: RerunRequest): Promise<string[]> {
      const found = await findCells(deps.database, teamId, cells)
      return found.flatMap(({ runId }) => (runId === null ? [] : [runId]))
    },
    recordShare: (caller: TeamCaller, shared: { id: string; port: number }): Promise<void> =>
      recordShare(deps, caller, shared),
    unshare: (caller: TeamCaller, id: string): Promise<void> => unshareSandbox(deps, caller, id),
  }
}
