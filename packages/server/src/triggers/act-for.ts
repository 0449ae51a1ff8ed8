import { findActing, type TeamCaller } from '../access/index.ts'
import type { Database } from '../base/index.ts'
import type { StoredDelivery, StoredTrigger } from './tables.ts'

/**
 * The person a trigger's turns act for, with the rights they have now: whoever stored the version, so that nobody gives
 * an agent more than they have themselves; whoever fired it, where that was by hand. A refusal says why there is none.
 */
export async function actFor(
  database: Database,
  trigger: StoredTrigger,
  firedBy?: StoredDelivery['firedBy'],
): Promise<{ caller: TeamCaller } | { refusal: string }> {
  const now = await findActing(database, { ...trigger, ...firedBy })
  if ('caller' in now) return now
  return {
    refusal: firedBy
      ? `It cannot act for ${firedBy.personName}, who fired it: ${now.lost}`
      : `It cannot act for ${trigger.personName}, who stored this version: ${now.lost}. ${trigger.toolName === null ? 'Store the agent' : 'Publish the tool'} again`,
  }
}
