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
export async function recordAudit(transaction: Transaction, ...entries: AuditEntry[]): Promise<void> {
  await transaction.insert(auditEvent).values(entries.map(toRow))
}

function toRow({ teamId, actor, action, target, details }: AuditEntry): typeof auditEvent.$inferInsert {
  return {
    teamId,
    id: createId('audit'),
    ...describeActor(actor),
    action,
    targetKind: target?.kind ?? null,
    targetId: target?.id ?? null,
    targetName: target?.name ?? null,
    details: details ?? {},
  }
}

function describeActor(actor: Caller | Actor) {
  if (!('person' in actor)) {
    const { kind, id = null, name, ip = null, requestId = null } = actor
    return { actorKind: kind, actorId: id, actorName: name, ip, requestId }
  }
  const { person, via, credentialId, ip, requestId } = actor
  const byKey = via === 'key'
  return {
    actorKind: byKey ? ('key' as const) : ('person' as const),
    actorId: byKey ? credentialId : person.id,
    actorName: person.name,
    ip,
    requestId,
  }
}
