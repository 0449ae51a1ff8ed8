import { generateText } from 'ai'
import { and, eq } from 'drizzle-orm'
import type { Database, EventBus, Log } from '../../base/index.ts'
import { threadTable } from '../threads/tables.ts'
import { tellThread } from '../threads/thread-news.ts'
import { keepStep } from '../turns/keep-progress.ts'
import { selectLastStep } from '../turns/turn-store.ts'
import type { BegunTurn } from './begin-turn.ts'

const longestTitle = 60
const withinMs = 20_000

interface TitleDeps {
  database: Database
  events: EventBus
  log: Log
}

/** The first words of a question: a title until a model gives one, and where none does. */
function firstWords(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length <= longestTitle ? line : `${line.slice(0, longestTitle - 1).trimEnd()}…`
}

function questionOf({ history }: BegunTurn): string {
  return history.at(-1)?.parts.find((part) => part.type === 'text')?.text ?? ''
}

/** Whether a thread has no title yet but the first words of what is asked. */
export function wantsTitle(begun: BegunTurn): boolean {
  const { title, isTitleGiven, parentTurnId } = begun.thread
  return !isTitleGiven && parentTurnId === null && (title === '' || title === firstWords(questionOf(begun)))
}

/** Names a thread by what is asked: it is found in a list from then on, and also when it is never answered. */
export async function nameThread(deps: TitleDeps, begun: BegunTurn): Promise<void> {
  await keepTitle(deps, begun, firstWords(questionOf(begun)))
}

/** Asks the model for a title. The question is data in it, and what comes back is a line of text, nothing more. */
export async function titleThread(deps: TitleDeps, begun: BegunTurn): Promise<void> {
  const { database, log } = deps
  const { turn, model, budget } = begun
  try {
    const startedAt = new Date()
    const { text, usage } = await generateText({
      model: model.model,
      instructions: 'Write a title of at most six words for the conversation that begins like this. Only the title.',
      prompt: questionOf(begun).slice(0, 2_000),
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(withinMs),
    })
    const cachedInput = usage.inputTokenDetails.cacheReadTokens ?? 0
    const tokens = { input: usage.inputTokens ?? 0, cachedInput, output: usage.outputTokens ?? 0 }
    const costUsd = budget.add(tokens, model.price)
    const durationMs = Date.now() - startedAt.getTime()
    const use = { tokens, costUsd, startedAt, durationMs, firstTokenMs: null }
    const last = await database.transaction({ team: turn.teamId }, (transaction) => selectLastStep(transaction, turn))
    const step = { number: last + 1, finishReason: 'title', ...use }
    await keepStep(database, turn, { step, model: model.name, activity: 'idle', budget: budget.toStored(Date.now()) })
    const title = firstWords(text.replaceAll('"', ''))
    if (title !== '') await keepTitle(deps, begun, title)
  } catch (error) {
    log.debug({ error }, 'a thread keeps the first words as its title')
  }
}

async function keepTitle({ database, events, log }: TitleDeps, { turn }: BegunTurn, title: string): Promise<void> {
  const { teamId, threadId } = turn
  try {
    await database.transaction({ team: teamId }, (transaction) =>
      transaction
        .update(threadTable)
        .set({ title })
        .where(and(eq(threadTable.teamId, teamId), eq(threadTable.id, threadId), eq(threadTable.isTitleGiven, false))),
    )
    await tellThread({ database, events }, teamId, threadId)
  } catch (error) {
    log.warn({ error }, 'a title was not kept')
  }
}
