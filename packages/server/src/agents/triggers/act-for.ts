import { hasRole, hasScope } from '@coherex/contract'
import { findActing, type TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { StoredTrigger } from './tables.ts'

/**
 * The person a trigger's turns act for, with the rights they have now: whoever stored the version, so that nobody gives
 * an agent more than they have themselves. A refusal says why there is none.
 */
export async function actFor(
  database: Database,
  trigger: StoredTrigger,
): Promise<{ caller: TeamCaller } | { refusal: string }> {
  const caller = await findActing(database, trigger)
  if (!caller || !hasRole(caller.role, 'editor')) {
    return {
      refusal: `${trigger.personName}, who stored this version, may not have agents work in this team any more: store it again`,
    }
  }
  if (!hasScope(caller.scopes, 'run')) {
    return { refusal: 'This version was stored with an API key that may not run agents: store it with one that may' }
  }
  return { caller }
}
