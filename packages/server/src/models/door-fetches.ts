import { operatorRules, teamRules, type Egress, type GuardedFetch } from '../egress/index.ts'

/** How a team gets to a provider. */
export interface Door {
  teamId: string
  setBy: 'operator' | 'team'
  baseUrl: string
  apiKey: string | undefined
}

const limits = { connectMs: 10_000, headersMs: 120_000, totalMs: 1_800_000, idleMs: 120_000, bodyBytes: 50_000_000 }
// more than teams that talk to a model at the same time
const mostKept = 500

/** The fetch for a door. The same one each time, because its connections are used again; a team's are its own. */
export function createDoorFetches(egress: Egress): (door: Door) => GuardedFetch {
  const kept = new Map<string, GuardedFetch>()
  return (door) => {
    const key = door.setBy === 'operator' ? door.baseUrl : `${door.teamId} ${door.baseUrl}`
    const fetch = kept.get(key) ?? egress.fetchFor(rulesOf(door))
    // in the order of their last use: the oldest goes
    kept.delete(key)
    kept.set(key, fetch)
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    return fetch
  }
}

function rulesOf({ setBy, baseUrl }: Door) {
  if (setBy === 'operator') return operatorRules({ allow: [baseUrl], limits })
  // what a team wrote never leads into the operator's network
  return teamRules({ allow: [baseUrl], methods: ['GET', 'POST'], limits })
}
