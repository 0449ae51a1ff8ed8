import { hasScope } from '@coherex/contract'
import { findActing, type TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { Admission } from '../turn/admission.ts'
import { TurnStop } from '../turn/ending.ts'
import type { AgentTool } from '../turn/tool.ts'
import type { StoredTurn } from './turn-store.ts'

/** Looks up the rights of a turn's person; throws the turn's end when they may not have agents work any more. */
export type LookUpRights = () => Promise<TeamCaller>

type ActingTurn = Pick<StoredTurn, 'teamId' | 'personId' | 'personName' | 'acting'>

/** The caller a turn acts for, with the rights they have now. */
export async function findRights(database: Database, turn: ActingTurn): Promise<TeamCaller> {
  const { acting } = turn
  // turns of the first versions did not keep what their person came with
  const now = acting ? await findActing(database, { ...turn, acting }) : { lost: 'it was begun by an older server' }
  if ('lost' in now) throw new TurnStop({ kind: 'rights', message: `It could not go on: ${now.lost}` })
  return now.caller
}

/** Admits a call within what its caller may do now: a tool takes the scope that doing the same directly takes. */
export async function admitWithinRights(
  lookUp: LookUpRights,
  { name, scope }: Pick<AgentTool, 'name' | 'scope'>,
  admit: () => Promise<Admission>,
): Promise<Admission> {
  const caller = await lookUp()
  if (!hasScope(caller.scopes, scope)) {
    const held = caller.scopes.map((one) => `"${one}"`).join(', ')
    return {
      kind: 'refuse',
      reason: `${name} takes the scope "${scope}": the API key that began this turn has ${held}`,
    }
  }
  const admission = await admit()
  return admission.kind === 'run' ? { ...admission, caller } : admission
}
