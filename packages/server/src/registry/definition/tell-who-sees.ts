import { and, eq, sql, type Column } from 'drizzle-orm'
import type { BusEvent, EventBus } from '../../base/index.ts'
import type { DefinitionDeps } from './create-definitions.ts'
import type { HeadTable } from './definition-tables.ts'

/** Tells of a definition those who may see it: of a private one its owner. Of one that is gone nobody needs to hear the name. */
export function tellWhoSees(
  { database, events }: DefinitionDeps,
  heads: HeadTable & { reach: Column },
): Pick<EventBus, 'publish'> {
  const find = async (teamId: string, name: string) => {
    const privateTo = sql<string | null>`coherex.tool_private_to(reach, owner_id, created_by)`
    const [row] = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
      transaction
        .select({ privateTo })
        .from(heads as HeadTable)
        .where(and(eq(heads.teamId, teamId), eq(heads.name, name))),
    )
    return row
  }
  return {
    async publish(event: BusEvent): Promise<void> {
      const { teamId, id } = event
      const row = teamId && id ? await find(teamId, id) : undefined
      const only = row?.privateTo ? { only: { personId: row.privateTo, admins: false } } : {}
      await events.publish({ ...event, id: row ? id : null, ...only })
    },
  }
}
