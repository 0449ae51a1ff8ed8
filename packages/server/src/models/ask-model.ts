import { CoherexError, type Use } from '@coherex/contract'
import { generateText, RetryError } from 'ai'
import { checkQuota, quotasOf, type TeamCaller } from '../access/index.ts'
import type { Database } from '../base/index.ts'
import { costOf, type TokenUse } from './cost.ts'
import { describeFailure } from './describe-failure.ts'
import { countUse, isHelp, readHelpUsd, readSpentUsd, type AskPurpose } from './model-use.ts'
import type { ResolvedModel } from './models.ts'

export interface Question {
  purpose: AskPurpose
  /** What is being done, for the words of an error: "suggest", "review". */
  doing: string
  model: ResolvedModel
  instructions: string
  prompt: string
  mostTokens: number
  withinMs: number
  signal?: AbortSignal | undefined
}

export interface Answer {
  text: string
  /** It had more to say than it might. */
  isCut: boolean
  model: string
  use: Use
}

// of a call that was cancelled nobody says what it took: four characters to a token is the usual guess
const charactersPerToken = 4

/** One question to a model outside of turns, within the money of the team and of the person, and counted in it. */
export async function askModel(
  database: Database,
  { teamId, person }: Pick<TeamCaller, 'teamId' | 'person'>,
  { purpose, doing, model, instructions, prompt, mostTokens, withinMs, signal }: Question,
): Promise<Answer> {
  const quotas = await database.transaction({ team: teamId }, (transaction) => quotasOf(transaction, teamId))
  checkQuota(quotas, 'spendUsdPerMonth', await readSpentUsd(database, teamId))
  if (isHelp(purpose)) {
    checkQuota(quotas, 'inlineHelpUsdPerPerson', await readHelpUsd(database, { teamId, personId: person.id }))
  }
  signal?.throwIfAborted()
  const count = (tokens: TokenUse) =>
    countUse(database, { teamId, personId: person.id, purpose, model: model.name, tokens, price: model.price })
  const timeout = AbortSignal.timeout(withinMs)
  try {
    const { text, usage, finishReason } = await generateText({
      ...{ model: model.model, instructions, prompt, maxRetries: 0, maxOutputTokens: mostTokens },
      abortSignal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    const tokens = {
      input: usage.inputTokens ?? 0,
      cachedInput: usage.inputTokenDetails.cacheReadTokens ?? 0,
      output: usage.outputTokens ?? 0,
    }
    await count(tokens)
    return { text, isCut: finishReason === 'length', model: model.name, use: toUse(tokens, model) }
  } catch (error) {
    // whoever cancels has had the provider read it all the same
    if (signal?.aborted || timeout.aborted) {
      const input = Math.ceil((instructions.length + prompt.length) / charactersPerToken)
      await count({ input, cachedInput: 0, output: 0 })
      signal?.throwIfAborted()
      throw new CoherexError('unavailable', `Cannot ${doing}: ${model.name} did not answer in ${withinMs / 1000} s`)
    }
    if (error instanceof CoherexError) throw error
    const why = describeFailure(RetryError.isInstance(error) ? error.lastError : error, model.name)
    throw new CoherexError('unavailable', `Cannot ${doing}: ${why}`, { cause: error })
  }
}

function toUse(tokens: TokenUse, { price }: ResolvedModel): Use {
  const { input, cachedInput, output } = tokens
  const counts = { inputTokens: input, cachedInputTokens: cachedInput, outputTokens: output }
  return { ...counts, costUsd: costOf(tokens, price) }
}
