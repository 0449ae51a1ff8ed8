import { CoherexError, type ToolDefinition } from '@coherex/contract'
import type { Database } from '../../base/index.ts'
import { readVariables, type Environment } from '../../runs/index.ts'

/** What the code of a tool finds in its environment: the variables that its version names, and no others of the tool. */
export async function readToolVariables(
  database: Database,
  teamId: string,
  { name, variables: named = [] }: Pick<ToolDefinition, 'name' | 'variables'>,
): Promise<Environment> {
  if (named.length === 0) return []
  const set = await database.transaction({ team: teamId }, (transaction) =>
    readVariables(transaction, teamId, { toolName: name }),
  )
  const missing = named.filter((one) => !set.some((variable) => variable.name === one))
  if (missing.length > 0)
    throw new CoherexError(
      'conflict',
      `The tool "${name}" needs the variable ${missing.join(', ')}, which is not set: PUT /api/v1/tools/${name}/variables/${missing[0]}`,
    )
  return set.filter((variable) => named.includes(variable.name))
}
