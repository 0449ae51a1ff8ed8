import type { Sandbox } from '@coherex/contract'
import type { Database } from '../../base/index.ts'
import { deleteCells } from './sandbox-store.ts'
import { keepSessions } from './sandbox.ts'
import type { Sandboxes } from './sandboxes.ts'

export interface SessionName {
  teamId: string
  id: string
  /** All of the sandbox's without it. */
  context: string | undefined
}

/** Ends a session or all of them; their cells can be run again. */
export function endSessions(sandboxes: Sandboxes, { teamId, id, context }: SessionName): Promise<Sandbox> {
  return sandboxes.use(teamId, id, async (open) => {
    const contexts = context === undefined ? open.inside.sessions().map((one) => one.context) : [context]
    for (const one of contexts) await open.inside.reset(one)
    return sandboxes.change(open, { notice: null, sessions: keepSessions(open.inside) })
  })
}

/** Ends a session or all of them; what they knew is not run again. */
export function resetSessions(
  { database, sandboxes }: { database: Database; sandboxes: Sandboxes },
  name: SessionName,
): Promise<Sandbox> {
  const { teamId, id, context } = name
  return sandboxes.use(teamId, id, async () => {
    await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
      deleteCells(transaction, teamId, id, context),
    )
    return endSessions(sandboxes, name)
  })
}
