import type { Scope } from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import type { Database } from '../base/index.ts'
import type { TeamCaller } from './caller.ts'
import { toPerson } from './people.ts'
import { apiKey, member, person } from './tables.ts'

/** What someone came with, kept with work that goes on after their request. */
export interface Acting {
  via: TeamCaller['via']
  credentialId: string
  scopes: Scope[]
}

export function toActing({ via, credentialId, scopes }: TeamCaller): Acting {
  return { via, credentialId, scopes: [...scopes] }
}

/**
 * The caller that stored work acts for, with the rights they have now; undefined when they left the team or their key
 * was revoked. Signing out does not end what they started.
 */
export async function findActing(
  database: Database,
  { teamId, personId, acting }: { teamId: string; personId: string; acting: Acting },
): Promise<TeamCaller | undefined> {
  const { via, credentialId, scopes } = acting
  return database.transaction({ team: teamId, person: personId }, async (transaction) => {
    const [found] = await transaction
      .select({ person, role: member.role })
      .from(member)
      .innerJoin(person, eq(person.id, member.personId))
      .where(and(eq(member.teamId, teamId), eq(member.personId, personId)))
    if (!found) return undefined
    if (via === 'key' && credentialId.startsWith('key_')) {
      const [key] = await transaction
        .select({ expiresAt: apiKey.expiresAt })
        .from(apiKey)
        .where(and(eq(apiKey.teamId, teamId), eq(apiKey.id, credentialId)))
      if (!key || (key.expiresAt && key.expiresAt < new Date())) return undefined
    }
    const { role } = found
    const origin = { ip: null, requestId: null }
    const who = { person: toPerson(found.person), setupDone: found.person.setupDone }
    return { ...origin, ...who, teamId, role, via, credentialId, scopes }
  })
}
