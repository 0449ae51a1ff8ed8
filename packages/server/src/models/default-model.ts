import { eq } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../access/index.ts'
import type { Database, EventBus } from '../base/index.ts'
import { modelChoiceTable } from './tables.ts'

/** The model a team chose for agents that name none; null when it chose none. */
export async function readDefaultModel(database: Database, teamId: string): Promise<string | null> {
  const [row] = await database.transaction({ team: teamId }, (transaction) =>
    transaction.select().from(modelChoiceTable).where(eq(modelChoiceTable.teamId, teamId)),
  )
  return row?.model ?? null
}

export async function setDefaultModel(
  { database, events }: { database: Database; events: EventBus },
  caller: TeamCaller,
  model: string | null,
): Promise<void> {
  const { teamId } = caller
  await database.transaction({ team: teamId }, async (transaction) => {
    await transaction.delete(modelChoiceTable).where(eq(modelChoiceTable.teamId, teamId))
    if (model !== null) await transaction.insert(modelChoiceTable).values({ teamId, model })
    const target = { kind: 'model', name: model } as const
    await recordAudit(transaction, { teamId, actor: caller, action: 'model.default', target })
  })
  await events.publish({ teamId, type: 'model', id: null })
}
