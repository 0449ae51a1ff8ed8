import { z } from 'zod'
import type { GuardedFetch } from '../../egress/index.ts'

const modelList = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).max(5_000) })

const answerWithinMs = 3_000

/** What a Chat Completions server says it offers. */
export async function listServerModels(server: {
  baseUrl: string
  apiKey?: string | undefined
  fetch: GuardedFetch
}): Promise<{ models: string[] } | { problem: string }> {
  try {
    const response = await server.fetch(`${server.baseUrl.replace(/\/+$/, '')}/models`, {
      headers: server.apiKey ? { authorization: `Bearer ${server.apiKey}` } : {},
      signal: AbortSignal.timeout(answerWithinMs),
    })
    if (!response.ok) return { problem: `It answered ${response.status} when asked for its models` }
    const parsed = modelList.safeParse(await response.json())
    if (!parsed.success) return { problem: 'It did not answer with a list of models' }
    return { models: parsed.data.data.map(({ id }) => id).sort() }
  } catch {
    return { problem: 'It could not be reached' }
  }
}
