import { EgressError, teamRules, type Outbound, type Egress } from '../../egress/index.ts'
import { gitLimits } from './git-limits.ts'
import { GitRefused } from './git-refusal.ts'
import type { GitRequest, GitResponse } from './git-task.ts'

/** A repository on the network, and what is shown there. */
export interface RemotePlace {
  url: URL
  /** The value of the header; undefined for a repository that is open to anyone. */
  authorization: string | undefined
}

const ownRequests = new Map([
  ['/info/refs?service=git-upload-pack', 'GET'],
  ['/info/refs?service=git-receive-pack', 'GET'],
  ['/git-upload-pack', 'POST'],
  ['/git-receive-pack', 'POST'],
])
const kept = new Set(['accept', 'content-type', 'git-protocol'])

/**
 * Sends what the thread asks for, and nothing else: git's own requests, to the one host, through the guard. The token is
 * added here; the thread never has it.
 */
export function createGitHttp(egress: Egress, { url, authorization }: RemotePlace) {
  const rules = teamRules({
    // a repository that moved is found where its host says, on the same host
    allow: [`${url.origin}/`],
    methods: ['GET', 'POST'],
    limits: { headersMs: 60_000, totalMs: gitLimits.totalMs, bodyBytes: gitLimits.packBytes },
  })
  const caller = egress.outbound({ rules, heldBytes: gitLimits.packBytes * 3 })
  let base = url.href
  let requests = 0

  return async (request: GitRequest, signal: AbortSignal): Promise<GitResponse> => {
    if (ownRequests.get(request.path) !== request.method) throw new Error('that is no request of git')
    if (++requests > gitLimits.requests) throw new GitRefused('unavailable', 'The repository asks for too much', 'url')
    const found = await send(caller, { ...request, url: base + request.path, authorization }, signal)
    // as git does it: what the first answer came from is the repository
    if (found.redirected && found.url.endsWith(request.path)) base = found.url.slice(0, -request.path.length)
    return { status: found.status, headers: Object.fromEntries(found.headers), body: found.body }
  }
}

async function send(
  caller: Outbound,
  { url, method, headers, body, authorization }: GitRequest & { url: string; authorization: string | undefined },
  signal: AbortSignal,
) {
  if ((body?.length ?? 0) > gitLimits.packBytes) {
    throw new GitRefused('too_large', `A push has at most ${gitLimits.packBytes / 1e6} MB`)
  }
  const own = Object.entries(headers).filter(([name]) => kept.has(name.toLowerCase()))
  // servers of some hosts answer git only when it says that it is git
  const list: [string, string][] = [...own, ['user-agent', 'git/coherex']]
  if (authorization !== undefined) list.push(['authorization', authorization])
  try {
    const found = await caller.fetch(
      { url, method, headers: list, ...(body ? { body } : {}), maxBytes: gitLimits.packBytes },
      signal,
    )
    if (!found.truncated) return found
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    // its words are for guests to read; why exactly is not
    throw new GitRefused(error.isRefusal ? 'invalid_input' : 'unavailable', error.message, 'url')
  }
  throw new GitRefused('too_large', `The repository sends more than ${gitLimits.packBytes / 1e6} MB`, 'url')
}
