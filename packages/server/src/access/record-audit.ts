import { createId, type Transaction } from '../base/index.ts'
import type { Caller, Origin } from './caller.ts'
import { auditEvent } from './tables.ts'

/** Someone or something that acts without being a caller: a person who is signing in, an agent, the server itself. */
export interface Actor extends Partial<Origin> {
  kind: 'person' | 'agent' | 'system'
  id?: string
  name: string
}

export interface AuditEntry {
  teamId: string
  actor: Caller | Actor
  /** Noun and verb: `member.remove`. */
  action: string
  target?: { kind: string; id?: string | null; name?: string | null }
  /** What changed. Never a secret. */
  details?: Record<string, unknown>
}

/** Writes to the audit log in the same transaction as the change, so that neither exists without the other. */
export async function recordAudit(transaction: Transaction, entry: AuditEntry): Promise<void> {
  const { actor, target } = entry
  const who =
    'person' in actor
      ? {
          actorKind: actor.via === 'key' ? ('key' as const) : ('person' as const),
          actorId: actor.via === 'key' ? actor.credentialId : actor.person.id,
          actorName: actor.person.name,
          ip: actor.ip,
          requestId: actor.requestId,
        }
      : {
          actorKind: actor.kind,
          actorId: actor.id ?? null,
          actorName: actor.name,
          ip: actor.ip ?? null,
          requestId: actor.requestId ?? null,
        }
  await transaction.insert(auditEvent).values({
    teamId: entry.teamId,
    id: createId('audit'),
    action: entry.action,
    targetKind: target?.kind ?? null,
    targetId: target?.id ?? null,
    targetName: target?.name ?? null,
    details: entry.details ?? {},
    ...who,
  })
}
