import { z } from 'zod'
import type { GuardedFetch } from '../egress/index.ts'

const modelList = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).max(5_000) })

const answerWithinMs = 3_000

export interface ModelServer {
  baseUrl: string
  /** What shows the key. */
  headers: Record<string, string>
  fetch: GuardedFetch
}
type Listed = { models: string[] } | { problem: string }

/** Asks servers what they offer, and remembers what they said for whoever is content with that. */
export function createServerModelLists() {
  const remembered = new WeakMap<GuardedFetch, { key: string; at: number; listed: Listed }>()
  return async (server: ModelServer, freshMs: number): Promise<Listed> => {
    const key = JSON.stringify(server.headers)
    const known = remembered.get(server.fetch)
    if (known && known.key === key && performance.now() - known.at < freshMs) return known.listed
    const listed = await listServerModels(server)
    // a server that is down now may be up in a moment
    if ('models' in listed) remembered.set(server.fetch, { key, at: performance.now(), listed })
    return listed
  }
}

/** What a Chat Completions server says it offers. */
async function listServerModels(server: ModelServer): Promise<Listed> {
  const asked = await askForModels(server)
  if ('problem' in asked) return asked
  const parsed = modelList.safeParse(asked.answer)
  if (!parsed.success) return { problem: 'It did not answer with a list of models' }
  return { models: parsed.data.data.map(({ id }) => id).sort() }
}

/** The cheapest question that takes a key, whatever the provider; its answer, or why there is none. */
export async function askForModels({
  baseUrl,
  headers,
  fetch,
}: ModelServer): Promise<{ answer: unknown } | { problem: string }> {
  try {
    const signal = AbortSignal.timeout(answerWithinMs)
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, { headers, signal })
    if (response.ok) return { answer: await response.json() }
    // not only a status says so: Google calls a wrong key a bad request
    const isRefused = [401, 403].includes(response.status) || /api key not valid/i.test(await response.text())
    return { problem: isRefused ? 'It refused the key' : `It answered ${response.status} when asked for its models` }
  } catch {
    return { problem: 'It could not be reached' }
  }
}
