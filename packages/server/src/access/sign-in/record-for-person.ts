import type { AuditAction, Person } from '@coherex/contract'
import { enterPerson, enterTeam, type Transaction } from '../../base/index.ts'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import type { Origin } from '../caller.ts'
import { selectTeamsOf } from './people.ts'

export interface PersonEntry {
  person: Pick<Person, 'id' | 'name'>
  /** Who did it, where it was not the person. */
  actor?: Actor
  origin?: Origin
  action: AuditAction
  details?: Record<string, unknown>
}

/**
 * What concerns a person is in the log of each of their teams. It comes last in its transaction, which it leaves in the
 * scope of the last of these teams.
 */
export async function recordForPerson(
  transaction: Transaction,
  { person: { id, name }, actor, origin, action, details = {} }: PersonEntry,
): Promise<void> {
  await enterPerson(transaction, id)
  for (const team of await selectTeamsOf(transaction, id)) {
    await enterTeam(transaction, team.id)
    await recordAudit(transaction, {
      teamId: team.id,
      actor: actor ?? { kind: 'person', id, name, ...(origin && { ip: origin.ip, requestId: origin.requestId }) },
      action,
      target: { kind: 'person', id, name },
      details,
    })
  }
}
