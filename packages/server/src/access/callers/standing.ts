import { and, eq } from 'drizzle-orm'
import type { Database, EventBus } from '../../base/index.ts'
import { BriefMemory } from '../brief-memory.ts'
import type { TeamCaller } from '../caller.ts'
import { apiKey, member, session } from '../tables.ts'
import { accessEvents } from './identify-caller.ts'

/** Someone who showed who they are earlier. */
export interface StandingOf {
  teamId: string
  personId: string
  via: TeamCaller['via']
  credentialId: string
}

/** Whether someone still is in the team, and what they came with still counts. */
export type Standing = (who: StandingOf) => Promise<boolean>

const rememberMs = 2000

/** For what lasts longer than a request and carries no credential of its own. */
export function createStanding(database: Database, events: EventBus): Standing {
  const known = new BriefMemory<true>(rememberMs)
  events.subscribe(({ type }) => {
    if (accessEvents.has(type)) known.clear()
  })

  async function look({ teamId, personId, via, credentialId }: StandingOf): Promise<true | undefined> {
    return database.transaction({ team: teamId, person: personId }, async (transaction) => {
      const [membership] = await transaction
        .select({ role: member.role })
        .from(member)
        .where(and(eq(member.teamId, teamId), eq(member.personId, personId)))
      if (!membership) return undefined
      const [credential] =
        via === 'session'
          ? await transaction.select({ expiresAt: session.expiresAt }).from(session).where(eq(session.id, credentialId))
          : await transaction
              .select({ expiresAt: apiKey.expiresAt })
              .from(apiKey)
              .where(and(eq(apiKey.teamId, teamId), eq(apiKey.id, credentialId)))
      if (!credential) return undefined
      return credential.expiresAt === null || credential.expiresAt > new Date() || undefined
    })
  }

  return async (who) => (await known.get(JSON.stringify(who), () => look(who))) ?? false
}
