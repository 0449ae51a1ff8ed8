import { CoherexError, mostVariables, type AuditAction, type Variable } from '@coherex/contract'
import { and, asc, eq, sql } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database, EventBus } from '../../base/index.ts'
import { variableTables } from './environment.ts'

/** What variables are set for: everything that runs with a workspace, what an agent runs, or the calls of a tool. */
export interface VariableOwner {
  kind: keyof typeof variableTables
  /** The id of a workspace; an agent or a tool has only its name. */
  id: string
  name: string
}

export async function listVariables(database: Database, teamId: string, owner: VariableOwner): Promise<Variable[]> {
  const table = variableTables[owner.kind]
  const rows = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select()
      .from(table)
      .where(and(eq(table.teamId, teamId), eq(table.owner, owner.id)))
      .orderBy(asc(table.name)),
  )
  return rows.map(toVariable)
}

export async function putVariable(
  { database, events }: { database: Database; events: Pick<EventBus, 'publish'> },
  caller: TeamCaller,
  owner: VariableOwner,
  { name, value }: { name: string; value: string },
): Promise<Variable> {
  const { teamId } = caller
  const table = variableTables[owner.kind]
  const content = { value, updatedBy: caller.person.name, updatedAt: new Date() }
  const stored = await database.transaction({ team: teamId }, async (transaction) => {
    const [row] = await transaction
      .insert(table)
      .values({ teamId, owner: owner.id, name, ...content })
      .onConflictDoUpdate({ target: [table.teamId, table.owner, table.name], set: content })
      .returning()
      .catch((error: unknown) => {
        throw isOwnerGone(error) ? new CoherexError('not_found', `There is no such ${owner.kind}`) : error
      })
    if (!row) throw new Error('the variable was not stored')
    const [used] = await transaction
      .select({
        count: sql<number>`count(*)::int`,
        bytes: sql<number>`sum(octet_length(name) + octet_length(value))::int`,
      })
      .from(table)
      .where(and(eq(table.teamId, teamId), eq(table.owner, owner.id)))
    checkRoom(owner, name, used ?? { count: 0, bytes: 0 })
    await recordAudit(transaction, audit(caller, 'variable.set', owner, name))
    return row
  })
  await events.publish({ teamId, type: 'variable', id: owner.id })
  return toVariable(stored)
}

export async function removeVariable(
  { database, events }: { database: Database; events: Pick<EventBus, 'publish'> },
  caller: TeamCaller,
  owner: VariableOwner,
  name: string,
): Promise<void> {
  const { teamId } = caller
  const table = variableTables[owner.kind]
  await database.transaction({ team: teamId }, async (transaction) => {
    const [row] = await transaction
      .delete(table)
      .where(and(eq(table.teamId, teamId), eq(table.owner, owner.id), eq(table.name, name)))
      .returning({ name: table.name })
    if (!row) throw new CoherexError('not_found', `There is no variable "${name}"`)
    await recordAudit(transaction, audit(caller, 'variable.delete', owner, name))
  })
  await events.publish({ teamId, type: 'variable', id: owner.id })
}

function checkRoom({ kind }: VariableOwner, name: string, { count, bytes }: { count: number; bytes: number }): void {
  if (count > mostVariables.count) {
    throw new CoherexError('quota_exceeded', `Cannot set "${name}": this ${kind} has ${mostVariables.count} variables`)
  }
  if (bytes > mostVariables.bytes) {
    const mostKb = mostVariables.bytes / 1024
    throw new CoherexError(
      'too_large',
      `Cannot set "${name}": the variables of this ${kind} would be over ${mostKb} KB`,
    )
  }
}

function isOwnerGone(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } }
  // a key without its row, or row security, which holds before keys are looked at
  return cause?.code === '23503' || cause?.code === '42501'
}

function audit(caller: TeamCaller, action: AuditAction, owner: VariableOwner, variable: string) {
  const target = { kind: owner.kind, name: owner.name, ...(owner.kind === 'workspace' && { id: owner.id }) }
  return { teamId: caller.teamId, actor: caller, action, target, details: { variable } }
}

function toVariable({ name, value, updatedAt, updatedBy }: typeof variableTables.workspace.$inferSelect): Variable {
  return { name, value, updatedAt: updatedAt.toISOString(), updatedBy }
}
