import { hasRole, hasScope, type Person, type Role, type Scope } from '@coherex/contract'
import type { Database } from '../../base/index.ts'
import type { TeamCaller } from '../caller.ts'

/** What someone came with, kept with work that goes on after their request. */
export interface Acting {
  via: TeamCaller['via']
  credentialId: string
  scopes: Scope[]
}

/** Stored work, and whom it acts for. */
export interface ActsFor {
  teamId: string
  personId: string
  personName: string
  acting: Acting
}

interface FoundActing {
  role: Role
  person: Person
  setupDone: boolean
  key: { scopes: Scope[]; isExpired: boolean } | null
}

/** What agents and code need to go on working for someone, as beginning it does. */
const work: { role: Role; scope: Scope } = { role: 'editor', scope: 'run' }

export function toActing({ via, credentialId, scopes }: TeamCaller): Acting {
  return { via, credentialId, scopes: [...scopes] }
}

export function actsFor(caller: TeamCaller): ActsFor {
  const { teamId, person: who } = caller
  return { teamId, personId: who.id, personName: who.name, acting: toActing(caller) }
}

/**
 * The caller that stored work acts for, with the rights they have now, or in words which of them was lost. Signing out
 * does not end what they started.
 */
export async function findActing(
  database: Database,
  stored: ActsFor,
): Promise<{ caller: TeamCaller } | { lost: string }> {
  const { teamId, personId, personName, acting } = stored
  const { via, credentialId } = acting
  const isStoredKey = via === 'key' && credentialId.startsWith('key_')
  const asked = { team_id: teamId, person_id: personId, credential_id: credentialId }
  const found = (await database.call('look_up_acting', JSON.stringify(asked))) as FoundActing | null
  if (!found) return { lost: `${personName} is no longer a member of this team` }
  const { role, key } = found
  if (isStoredKey && !key) return { lost: 'the API key it was begun with was revoked' }
  if (isStoredKey && key?.isExpired) {
    return { lost: 'the API key it was begun with has expired' }
  }
  const scopes = key ? acting.scopes.filter((scope) => hasScope(key.scopes, scope)) : acting.scopes
  if (!hasRole(role, work.role))
    return { lost: `${personName} is a ${role} now, and this takes the role "${work.role}"` }
  if (!hasScope(scopes, work.scope)) return { lost: `the API key it was begun with lacks the scope "${work.scope}"` }
  const origin = { ip: null, requestId: null }
  const { person, setupDone } = found
  return { caller: { ...origin, person, setupDone, teamId, role, via, credentialId, scopes } }
}
