import { eq } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../access/index.ts'
import type { Database, EventBus } from '../base/index.ts'
import { modelChoiceTable } from './tables.ts'

/** The models a team chose; null where it chose none. */
export interface ModelChoice {
  /** For agents that name none. */
  model: string | null
  /** For vectors of texts. */
  embeddingModel: string | null
}

export async function readChoice(database: Database, teamId: string): Promise<ModelChoice> {
  const [row] = await database.transaction({ team: teamId }, (transaction) =>
    transaction.select().from(modelChoiceTable).where(eq(modelChoiceTable.teamId, teamId)),
  )
  return row ?? { model: null, embeddingModel: null }
}

export async function setChoice(
  { database, events }: { database: Database; events: EventBus },
  caller: TeamCaller,
  choice: Pick<ModelChoice, 'model'> | Pick<ModelChoice, 'embeddingModel'>,
): Promise<void> {
  const { teamId } = caller
  await database.transaction({ team: teamId }, async (transaction) => {
    await transaction
      .insert(modelChoiceTable)
      .values({ teamId, ...choice })
      .onConflictDoUpdate({ target: modelChoiceTable.teamId, set: choice })
    const [action, name] =
      'model' in choice
        ? (['model.default', choice.model] as const)
        : (['model.embedding', choice.embeddingModel] as const)
    await recordAudit(transaction, { teamId, actor: caller, action, target: { kind: 'model', name } })
  })
  await events.publish({ teamId, type: 'model', id: null })
}
