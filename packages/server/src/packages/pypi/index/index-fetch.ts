import { doorOf, type Egress, type FetchedResponse, teamRules } from '../../../egress/index.ts'
import { type IndexPlace, rulesOf } from './index-place.ts'

const limits = { connectMs: 10_000, headersMs: 30_000, totalMs: 60_000, idleMs: 30_000 }

/** A page or file that the index names, by the rules of where it is; undefined where it cannot be reached. */
export async function fetchNamed(
  place: IndexPlace,
  { url, maxBytes }: { url: string; maxBytes: number },
  { egress, signal }: { egress: Egress; signal: AbortSignal },
): Promise<FetchedResponse | undefined> {
  const isIndex = URL.parse(url)?.origin === place.origin
  const rules = isIndex
    ? rulesOf(place)
    : teamRules({ allow: 'any', limits, ...(place.isOperators && { beside: [doorOf(place.origin)] }) })
  const headers = isIndex ? place.headers : []
  try {
    return await egress.outbound({ rules }).fetch({ url, headers, maxBytes }, signal)
  } catch {
    signal.throwIfAborted()
    // whoever asks can do without
    return undefined
  }
}
