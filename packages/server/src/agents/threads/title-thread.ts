import { generateText } from 'ai'
import { and, eq } from 'drizzle-orm'
import type { Database, EventBus, Log } from '../../base/index.ts'
import type { BegunTurn } from '../turns/begin-turn.ts'
import { keepStep } from './keep-progress.ts'
import { threadTable } from './tables.ts'
import { selectLastStep } from './turn-store.ts'

const longestTitle = 60
const withinMs = 20_000

/** The first words of a question: a title where a model gives none. */
function firstWords(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length <= longestTitle ? line : `${line.slice(0, longestTitle - 1).trimEnd()}…`
}

/** Asks the model for a title. The question is data in it, and what comes back is a line of text, nothing more. */
export async function titleThread(
  { database, events, log }: { database: Database; events: EventBus; log: Log },
  { turn, history, model, budget }: BegunTurn,
): Promise<void> {
  const { teamId, threadId } = turn
  const question = history.at(-1)?.parts.find((part) => part.type === 'text')?.text ?? ''
  let title = firstWords(question)
  try {
    const startedAt = new Date()
    const { text, usage } = await generateText({
      model: model.model,
      instructions: 'Write a title of at most six words for the conversation that begins like this. Only the title.',
      prompt: question.slice(0, 2_000),
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(withinMs),
    })
    title = firstWords(text.replaceAll('"', '')) || title
    const cachedInput = usage.inputTokenDetails.cacheReadTokens ?? 0
    const tokens = { input: usage.inputTokens ?? 0, cachedInput, output: usage.outputTokens ?? 0 }
    const costUsd = budget.add(tokens, model.price)
    const durationMs = Date.now() - startedAt.getTime()
    const use = { tokens, costUsd, startedAt, durationMs, firstTokenMs: null }
    const last = await database.transaction({ team: teamId }, (transaction) => selectLastStep(transaction, turn))
    const step = { number: last + 1, finishReason: 'title', ...use }
    await keepStep(database, turn, { step, model: model.name, activity: 'idle', budget: budget.toStored(Date.now()) })
  } catch (error) {
    log.debug({ error }, 'a thread keeps the first words as its title')
  }
  try {
    await database.transaction({ team: teamId }, (transaction) =>
      transaction
        .update(threadTable)
        .set({ title })
        .where(and(eq(threadTable.teamId, teamId), eq(threadTable.id, threadId), eq(threadTable.isTitleGiven, false))),
    )
    await events.publish({ teamId, type: 'thread', id: threadId })
  } catch (error) {
    log.warn({ error }, 'a title was not kept')
  }
}
