import type { ApiKey, AuditEvent, Page, Secret } from '@coherex/contract'
import type { Log } from '../base/index.ts'
import { listAudit, type AuditFilters } from './audit/list-audit.ts'
import type { TeamCaller } from './caller.ts'
import { createApiKey, listApiKeys, revokeApiKey, type NewApiKey } from './callers/api-keys.ts'
import {
  holdIdempotencyKey,
  releaseIdempotencyKey,
  storeAnswer,
  takeIdempotencyKey,
  type IdempotentRequest,
  type StoredAnswer,
} from './callers/idempotency.ts'
import type { PageQuery } from './cursor.ts'
import { createOAuth, type OAuthDeps } from './oauth/create-oauth.ts'
import { listSecrets, putSecret, removeSecret } from './secrets/secrets.ts'
import { createPeople, type PeopleDeps } from './sign-in/create-people.ts'
import { createTeams, type TeamsDeps } from './teams/create-teams.ts'

export interface AccessDeps extends PeopleDeps, TeamsDeps, OAuthDeps {
  log: Log
}

export type Access = ReturnType<typeof createAccess>

/** What doors may do to people, teams and what they hold: each verb changes the rows, writes its audit line and tells the bus once that is stored. */
export function createAccess(deps: AccessDeps) {
  const { database, events, keyRing, log } = deps

  return {
    people: createPeople(deps),
    teams: createTeams(deps),

    keys: {
      list: (caller: TeamCaller, page: PageQuery): Promise<Page<ApiKey>> => listApiKeys(database, caller, page),

      async create(caller: TeamCaller, wanted: NewApiKey): Promise<ApiKey & { key: string }> {
        const key = await createApiKey(database, caller, wanted)
        await events.publish({ teamId: caller.teamId, type: 'key', id: key.id })
        return key
      },

      async revoke(caller: TeamCaller, id: string): Promise<void> {
        await revokeApiKey(database, caller, id)
        await events.publish({ teamId: caller.teamId, type: 'key', id })
      },
    },

    oauth: createOAuth(deps),

    secrets: {
      list: (teamId: string, page: PageQuery): Promise<Page<Secret>> => listSecrets(database, teamId, page),

      async put(caller: TeamCaller, content: { name: string; value: string }): Promise<Secret> {
        const secret = await putSecret({ database, keyRing }, caller, content)
        await events.publish({ teamId: caller.teamId, type: 'secret', id: secret.id })
        return secret
      },

      async remove(caller: TeamCaller, name: string): Promise<void> {
        await removeSecret(database, caller, name)
        await events.publish({ teamId: caller.teamId, type: 'secret', id: null })
      },
    },

    listAudit: (teamId: string, filters: AuditFilters & PageQuery): Promise<Page<AuditEvent>> =>
      listAudit(database, teamId, filters),

    /** Requests that are answered once, however often they are sent. */
    idempotency: {
      take: (caller: TeamCaller, request: IdempotentRequest): Promise<StoredAnswer | undefined> =>
        takeIdempotencyKey({ database, keyRing }, caller, request),
      hold: (caller: TeamCaller, key: string): (() => void) => holdIdempotencyKey({ database, log }, caller, key),
      release: (caller: TeamCaller, key: string): Promise<void> => releaseIdempotencyKey(database, caller, key),
      store: (caller: TeamCaller, key: string, answer: StoredAnswer): Promise<void> =>
        storeAnswer({ database, keyRing }, caller, key, answer),
    },
  }
}
