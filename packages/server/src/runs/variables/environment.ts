import type { PackageLock, Receipt, VariableOrigin } from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../base/index.ts'
import { agentVariableTable, toolVariableTable, workspaceVariableTable } from './variable-tables.ts'

/** Where the variables of each kind of owner are. */
export const variableTables = {
  workspace: workspaceVariableTable,
  agent: agentVariableTable,
  tool: toolVariableTable,
}

export interface SetVariable {
  name: string
  value: string
  from: VariableOrigin
}

/** What code finds in its environment, each name once. */
export type Environment = readonly SetVariable[]

/** Whose variables code has; absent or null where it runs for none. */
export interface VariableOwners {
  workspaceId?: string | null | undefined
  agentName?: string | null | undefined
  toolName?: string | undefined
}

/** The variables of an agent over those of a workspace; a tool has its own alone. */
export async function readVariables(
  transaction: Transaction,
  teamId: string,
  { workspaceId, agentName, toolName }: VariableOwners,
): Promise<Environment> {
  const select = async (from: keyof typeof variableTables, owner: string | null | undefined) => {
    if (owner === undefined || owner === null) return []
    const table = variableTables[from]
    const rows = await transaction
      .select({ name: table.name, value: table.value })
      .from(table)
      .where(and(eq(table.teamId, teamId), eq(table.owner, owner)))
      .orderBy(table.name)
    return rows.map((row) => ({ ...row, from }))
  }
  if (toolName !== undefined) return select('tool', toolName)
  return override(await select('workspace', workspaceId), await select('agent', agentName))
}

/** The variables that a run or a sandbox brings itself, over those of whom it runs for. */
export async function readEnvironment(
  database: Database,
  teamId: string,
  { env, from, ...owners }: VariableOwners & { env: Readonly<Record<string, string>>; from: 'run' | 'sandbox' },
): Promise<Environment> {
  const own = Object.entries(env).map(([name, value]) => ({ name, value, from }))
  const hasOwner = [owners.workspaceId, owners.agentName].some((owner) => owner !== undefined && owner !== null)
  // most run for none: nothing to ask
  if (!hasOwner) return own
  const beneath = await database.transaction({ team: teamId }, (transaction) =>
    readVariables(transaction, teamId, owners),
  )
  return override(beneath, own)
}

function override(beneath: Environment, above: Environment): Environment {
  const names = new Set(above.map(({ name }) => name))
  return [...above, ...beneath.filter(({ name }) => !names.has(name))]
}

/** As a program is given it. A name such as `__proto__` is one like any other. */
export function toEnv(environment: Environment): Record<string, string> {
  return Object.fromEntries(environment.map(({ name, value }) => [name, value]))
}

/** What a receipt says of it, without values, and of the packages. */
export function toReceipt(
  receipt: Receipt,
  environment: Environment,
  { lock, base = [] }: { lock?: PackageLock | undefined; base?: Receipt['base'] } = {},
): Receipt {
  return {
    ...receipt,
    ...(environment.length > 0 && { variables: environment.map(({ name, from }) => ({ name, from })) }),
    ...(lock && { lock }),
    ...(base.length > 0 && { base }),
  }
}
