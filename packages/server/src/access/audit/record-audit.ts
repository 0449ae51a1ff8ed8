import type { AuditAction } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import { createId, type Transaction } from '../../base/index.ts'
import type { Caller, Origin } from '../caller.ts'

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
  action: AuditAction
  target?: { kind: string; id?: string | null; name?: string | null }
  /** What changed. Never a secret. */
  details?: Record<string, unknown>
}

/** Writes to the audit log in the same transaction as the change, so that neither exists without the other. */
export async function recordAudit(transaction: Transaction, ...entries: AuditEntry[]): Promise<void> {
  // all rows in one parameter, because a busy team's runs are audited by the hundred
  await transaction.execute(sql`
    INSERT INTO coherex.audit_event
      (team_id, id, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, details, ip, request_id)
    SELECT team_id, id, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, details, ip, request_id
    FROM jsonb_populate_recordset(NULL::coherex.audit_event, ${JSON.stringify(entries.map(toAuditRow))}::jsonb)`)
}

/** An entry as its columns are named, for those who write it in a statement of their own. */
export function toAuditRow({ teamId, actor, action, target, details }: AuditEntry) {
  return {
    team_id: teamId,
    id: createId('audit'),
    ...describeActor(actor),
    action,
    target_kind: target?.kind ?? null,
    target_id: target?.id ?? null,
    target_name: target?.name ?? null,
    details: details ?? {},
  }
}

function describeActor(actor: Caller | Actor) {
  if (!('person' in actor)) {
    const { kind, id = null, name, ip = null, requestId = null } = actor
    return { actor_kind: kind, actor_id: id, actor_name: name, ip, request_id: requestId }
  }
  const { person, via, credentialId, ip, requestId } = actor
  const byKey = via === 'key'
  return {
    actor_kind: byKey ? 'key' : 'person',
    actor_id: byKey ? credentialId : person.id,
    actor_name: person.name,
    ip,
    request_id: requestId,
  }
}
