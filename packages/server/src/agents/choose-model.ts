import { CoherexError } from '@coherex/contract'
import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '../base/index.ts'
import type { Models } from './models/models.ts'
import { modelChoiceTable } from './threads/tables.ts'

/** The model a team chose for agents that name none; null when it chose none. */
export async function readDefaultModel(database: Database, teamId: string): Promise<string | null> {
  const [row] = await database.transaction({ team: teamId }, (transaction) =>
    transaction.select().from(modelChoiceTable).where(eq(modelChoiceTable.teamId, teamId)),
  )
  return row?.model ?? null
}

export async function setDefaultModel(transaction: Transaction, teamId: string, model: string | null): Promise<void> {
  const { teamId: ofTeam } = modelChoiceTable
  if (model === null) await transaction.delete(modelChoiceTable).where(eq(ofTeam, teamId))
  else
    await transaction
      .insert(modelChoiceTable)
      .values({ teamId, model })
      .onConflictDoUpdate({ target: ofTeam, set: { model } })
}

/** The first that anyone named: the caller, the thread, the agent, the team; else the first that works. */
export async function chooseModel(
  { database, models }: { database: Database; models: Models },
  teamId: string,
  named: (string | null | undefined)[],
): Promise<string> {
  const name =
    named.find((one) => one) ?? (await readDefaultModel(database, teamId)) ?? (await models.firstUsable(teamId))
  if (name) return name
  throw new CoherexError(
    'unavailable',
    'No model is set up: an admin can add a key under Settings, Models, or the operator sets ANTHROPIC_API_KEY, ' +
      'OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY or COHEREX_COMPATIBLE_BASE_URL. A local Ollama is found by itself',
  )
}
