import type { OwnedVariable, Page } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import { decodeCursor, takePage } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'

export interface AllVariablesQuery {
  limit: number
  cursor?: string | undefined
  /** Part of a name, or of whose it is. */
  search?: string | undefined
}

type Row = {
  kind: OwnedVariable['owner']['kind']
  id: string
  owner: string
  name: string
  value: string
  updated_at: Date
  updated_by: string
}

/** The variables of all workspaces, agents and tools of a team, by name. */
export async function listAllVariables(
  database: Database,
  teamId: string,
  { limit, cursor, search }: AllVariablesQuery,
): Promise<Page<OwnedVariable>> {
  const after = cursor ? decodeCursor(cursor, 3) : undefined
  const { rows } = await database.transaction({ team: teamId }, (transaction) =>
    transaction.execute<Row>(sql`
      SELECT * FROM (
        SELECT 'workspace' AS kind, workspace.id, workspace.name AS owner, variable.name, value, variable.updated_at, variable.updated_by
        FROM coherex.workspace_variable AS variable
        JOIN coherex.workspace ON workspace.team_id = variable.team_id AND workspace.id = variable.workspace_id
        WHERE variable.team_id = ${teamId}
        UNION ALL
        SELECT 'agent', agent_name, agent_name, name, value, updated_at, updated_by
        FROM coherex.agent_variable WHERE team_id = ${teamId}
        UNION ALL
        SELECT 'tool', tool_name, tool_name, name, value, updated_at, updated_by
        FROM coherex.tool_variable WHERE team_id = ${teamId}
      ) AS every
      WHERE ${search ? sql`(position(lower(${search}) IN lower(name)) > 0 OR position(lower(${search}) IN lower(owner)) > 0)` : sql`true`}
        AND ${after ? sql`(name, kind, id) > (${after[0]}, ${after[1]}, ${after[2]})` : sql`true`}
      ORDER BY name, kind, id LIMIT ${limit + 1}`),
  )
  const page = takePage(rows, limit, ({ name, kind, id }) => [name, kind, id])
  return { ...page, items: page.items.map(toOwned) }
}

function toOwned({ kind, id, owner, name, value, updated_at, updated_by }: Row): OwnedVariable {
  return {
    owner: { kind, id, name: owner },
    name,
    value,
    updatedAt: new Date(updated_at).toISOString(),
    updatedBy: updated_by,
  }
}
