import { createId, type Database } from '../../base/index.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { createPerson, findFirstOperator } from '../sign-in/people.ts'
import { addTeam } from './teams.ts'

/** Who the sign-in link is for. At the very first start there is nobody: then the owner and a team are made. */
export async function ensureFirstOwner(
  database: Database,
  keyRing: KeyRing,
): Promise<{ id: string; setupDone: boolean }> {
  const known = await findFirstOperator(database)
  if (known) return known
  const teamId = createId('team')
  const id = await database.transaction({ team: teamId, secrets: true }, async (transaction) => {
    const ownerId = await createPerson(transaction, {
      name: 'Owner',
      email: 'owner@localhost',
      operator: true,
      setupDone: false,
    })
    await addTeam(transaction, { teamId, name: 'My team', ownerId, keyRing })
    const actor = { kind: 'system' as const, name: 'Coherex' }
    await recordAudit(transaction, {
      teamId,
      actor,
      action: 'team.create',
      target: { kind: 'team', id: teamId, name: 'My team' },
    })
    return ownerId
  })
  return { id, setupDone: false }
}
