import type { Transaction } from '../../base/index.ts'
import { createGlobMatcher } from '../../base/index.ts'
import { failedRunsSince, findRunStarter } from '../../runs/index.ts'
import { changesSince } from '../../workspaces/index.ts'
import { seenNow, type Seen, type WatchedEvent } from './seen.ts'

/** Something that happened in the product. */
export interface Occurrence {
  /** The same for the same thing, however often it is found. */
  key: string
  payload: Record<string, unknown>
  /** Agents that may have caused it. */
  causes: Cause[]
}

/** An agent by its name, or by one of its turns. */
export interface Cause {
  agentName: string | undefined
  turnId?: string | undefined
}

// people type in bursts: it is told when they pause, and now and then while they do not
export const quietMs = 4_000
const longestMs = 60_000
const mostPaths = 200

/** What happened since `seen`, but for what an agent did itself and calls of the tool itself; and how far was looked. */
export async function findOccurrences(
  transaction: Transaction,
  teamId: string,
  {
    watched,
    seen,
    ownAgent,
    ownTool,
  }: { watched: WatchedEvent; seen: Seen | null; ownAgent?: string; ownTool?: string },
): Promise<{ occurrences: Occurrence[]; seen: Seen | null }> {
  if (watched.event === 'file-changed' && seen && 'versions' in seen) {
    return findChanges(transaction, teamId, { watched, seen, ownAgent })
  }
  if (watched.event === 'run-failed' && seen && 'until' in seen) {
    const failed = (await failedRunsSince(transaction, teamId, seen.until)).filter(
      ({ tool }) => ownTool === undefined || tool?.name !== ownTool,
    )
    const occurrences = failed.map(({ id, language, error, personName, startedBy }) => ({
      key: `run ${id}`,
      payload: { event: 'run-failed', runId: id, language, error, createdBy: personName },
      causes: startedBy?.kind === 'agent' ? [{ agentName: startedBy.name, turnId: startedBy.id }] : [],
    }))
    return {
      occurrences: occurrences.filter(({ causes }) => !causes.some(({ agentName }) => isSelf(agentName, ownAgent))),
      seen: await seenNow(transaction, teamId, watched),
    }
  }
  return { occurrences: [], seen: await seenNow(transaction, teamId, watched) }
}

async function findChanges(
  transaction: Transaction,
  teamId: string,
  {
    watched,
    seen,
    ownAgent,
  }: { watched: WatchedEvent; seen: { versions: Record<string, number> }; ownAgent: string | undefined },
): Promise<{ occurrences: Occurrence[]; seen: Seen }> {
  const { workspace, paths } = watched
  const matches = paths ? createGlobMatcher(paths) : () => true
  const versions = { ...seen.versions }
  const occurrences: Occurrence[] = []
  for (const one of await changesSince(transaction, teamId, seen.versions, workspace)) {
    if (one.newestMs < quietMs && one.oldestMs < longestMs) continue
    versions[one.workspaceId] = one.version
    const changed = new Set<string>()
    const causes = new Map<string, Cause>()
    for (const { path, authors } of one.changes) {
      if (!matches(path)) continue
      const makers = await Promise.all(authors.map((author) => causeOf(transaction, teamId, author)))
      if (makers.length > 0 && makers.every((maker) => isSelf(maker?.agentName, ownAgent))) continue
      changed.add(path)
      for (const maker of makers) if (maker) causes.set(JSON.stringify(maker), maker)
    }
    if (changed.size === 0) continue
    const { workspaceId, workspaceName, version } = one
    occurrences.push({
      key: `version ${workspaceId} ${version}`,
      payload: {
        ...{ event: 'file-changed', workspaceId, workspaceName, version },
        paths: [...changed].slice(0, mostPaths),
        pathCount: changed.size,
      },
      causes: [...causes.values()],
    })
  }
  return { occurrences, seen: { versions } }
}

async function causeOf(
  transaction: Transaction,
  teamId: string,
  { kind, id }: { kind: string; id: string },
): Promise<Cause | undefined> {
  if (kind === 'agent') return { agentName: id }
  if (kind !== 'run') return undefined
  const starter = await findRunStarter(transaction, teamId, id)
  return starter?.kind === 'agent' ? { agentName: starter.name, turnId: starter.id } : undefined
}

function isSelf(agentName: string | undefined, own: string | undefined): boolean {
  return own !== undefined && agentName === own
}
