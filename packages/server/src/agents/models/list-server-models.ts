import { z } from 'zod'
import type { GuardedFetch } from '../../egress/index.ts'

const modelList = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).max(5_000) })

const answerWithinMs = 3_000

interface Server {
  baseUrl: string
  apiKey?: string | undefined
  fetch: GuardedFetch
}
type Listed = { models: string[] } | { problem: string }

/** Asks servers what they offer, and remembers what they said for whoever is content with that. */
export function createServerModelLists() {
  const remembered = new WeakMap<GuardedFetch, { apiKey: string | undefined; at: number; listed: Listed }>()
  return async (server: Server, freshMs: number): Promise<Listed> => {
    const { fetch, apiKey } = server
    const known = remembered.get(fetch)
    if (known && known.apiKey === apiKey && performance.now() - known.at < freshMs) return known.listed
    const listed = await listServerModels(server)
    // a server that is down now may be up in a moment
    if ('models' in listed) remembered.set(fetch, { apiKey, at: performance.now(), listed })
    return listed
  }
}

/** What a Chat Completions server says it offers. */
async function listServerModels(server: Server): Promise<Listed> {
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
