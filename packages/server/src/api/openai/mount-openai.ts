import type { Hono } from 'hono'
import type { Api } from '../api.ts'
import type { Env } from '../http/requests/request-context.ts'
import { createAnswers } from './answers.ts'
import { mountChatCompletions } from './chat-completions.ts'
import { mountEmbeddings } from './embeddings.ts'
import { mountOpenAiModels } from './models.ts'
import { mountResponses } from './responses.ts'

/** What OpenAI's clients find below /v1. */
export function mountOpenAi(app: Hono<Env>, api: Api): void {
  const answers = createAnswers(api)
  mountOpenAiModels(app, api, answers)
  mountChatCompletions(app, api, answers)
  mountResponses(app, api, answers)
  mountEmbeddings(app, api)
}
