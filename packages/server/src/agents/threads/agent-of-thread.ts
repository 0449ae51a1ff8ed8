import type { Database } from '../../base/index.ts'
import { getAgent, toTried, type StoredAgent } from '../../registry/index.ts'
import type { StoredThread } from './thread-store.ts'

/** The agent that answers in a thread: the definition that is tried there, or the stored one at the version that a turn began with. */
export async function agentOfThread(
  database: Database,
  { teamId, agentName, definition }: Pick<StoredThread, 'teamId' | 'agentName' | 'definition'>,
  version?: number,
): Promise<StoredAgent> {
  return definition === null ? getAgent(database, teamId, agentName, version) : toTried(definition)
}
