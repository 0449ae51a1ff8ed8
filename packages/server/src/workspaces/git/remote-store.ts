import type { Author, GitRemote } from '@coherex/contract'
import { and, desc, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../base/index.ts'
import type { DocumentName } from '../document/document-store.ts'
import { remoteTable } from '../tables.ts'
import type { KeptEntry } from './git-task.ts'

export interface RemoteName extends DocumentName {
  url: string
  branch: string
}

/** A commit and the version that is the same. */
export interface SyncPoint {
  commit: string
  object: Uint8Array
  version: number
}

export interface RemoteState {
  entries: KeptEntry[]
  secret: string | undefined
  username: string | undefined
  by: Author
}

/** What is known of a branch: where it was the same as the workspace, and where a push would have brought it. */
export interface Remote {
  branch: string
  synced: SyncPoint | undefined
  next: SyncPoint | undefined
  entries: KeptEntry[]
}

const mostRemotes = 20
const nothing = { nextCommit: null, nextObject: null, nextVersion: null }
const key = [remoteTable.teamId, remoteTable.workspaceId, remoteTable.url, remoteTable.branch]

const isOf = ({ teamId, workspaceId }: DocumentName) =>
  and(eq(remoteTable.teamId, teamId), eq(remoteTable.workspaceId, workspaceId))
const isOne = (name: RemoteName) => and(isOf(name), eq(remoteTable.url, name.url), eq(remoteTable.branch, name.branch))

/** A branch, and when there is none of that name the one of the repository that was used last: new branches begin there. */
export async function selectRemote(database: Database, name: RemoteName): Promise<Remote | undefined> {
  const rows = await database.transaction({ team: name.teamId }, (transaction) =>
    transaction
      .select()
      .from(remoteTable)
      .where(and(isOf(name), eq(remoteTable.url, name.url)))
      .orderBy(desc(remoteTable.at)),
  )
  const row = rows.find(({ branch }) => branch === name.branch) ?? rows.find(({ commit }) => commit !== null)
  if (!row) return undefined
  return {
    branch: row.branch,
    synced: toPoint(row.commit, row.object, row.version),
    next: toPoint(row.nextCommit, row.nextObject, row.nextVersion),
    entries: row.entries,
  }
}

export async function selectRemotes(database: Database, name: DocumentName): Promise<GitRemote[]> {
  const rows = await database.transaction({ team: name.teamId }, (transaction) =>
    transaction.select().from(remoteTable).where(isOf(name)).orderBy(desc(remoteTable.at)),
  )
  return rows.flatMap(({ url, branch, commit, version, secret, username, at, by }) =>
    commit === null || version === null
      ? []
      : [{ url, branch, commit, version, secret, username, by, at: at.toISOString() }],
  )
}

/** Both are the same now. Of many branches those used longest ago are forgotten. */
export async function writeSynced(
  transaction: Transaction,
  name: RemoteName,
  { commit, object, version, ...state }: SyncPoint & RemoteState,
): Promise<void> {
  const row = { ...toRow(state), ...nothing, commit, object: Buffer.from(object), version }
  await transaction
    .insert(remoteTable)
    .values({ ...pick(name), ...row })
    .onConflictDoUpdate({ target: key, set: row })
  const old = await transaction
    .select({ url: remoteTable.url, branch: remoteTable.branch })
    .from(remoteTable)
    .where(isOf(name))
    .orderBy(desc(remoteTable.at))
    .offset(mostRemotes)
  for (const one of old) await transaction.delete(remoteTable).where(isOne({ ...name, ...one }))
}

/** A push is about to be sent. Should nobody hear how it ended, the branch itself says so the next time. */
export async function writeNext(
  database: Database,
  name: RemoteName,
  { commit, object, version, ...state }: SyncPoint & RemoteState,
): Promise<void> {
  const next = { nextCommit: commit, nextObject: Buffer.from(object), nextVersion: version }
  await database.transaction({ team: name.teamId }, (transaction) =>
    transaction
      .insert(remoteTable)
      .values({ ...pick(name), ...toRow(state), ...next })
      .onConflictDoUpdate({ target: key, set: next }),
  )
}

function pick({ teamId, workspaceId, url, branch }: RemoteName): RemoteName {
  return { teamId, workspaceId, url, branch }
}

function toRow({ entries, secret, username, by }: RemoteState) {
  return { entries, secret: secret ?? null, username: username ?? null, by, at: new Date() }
}

function toPoint(commit: string | null, object: Buffer | null, version: number | null): SyncPoint | undefined {
  return commit !== null && object !== null && version !== null ? { commit, object, version } : undefined
}
