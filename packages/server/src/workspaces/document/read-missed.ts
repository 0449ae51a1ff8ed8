import type { Transaction } from '../../base/index.ts'
import type { LoggedUpdate } from '../log-codec.ts'
import { readFiles, readSnapshot, readUpdates, type DocumentName, type DocumentState } from './document-store.ts'
import type { KnownFile } from './version-writer.ts'

/** How far a process has read a document: the number of the last update, and of the last version. */
export interface Position {
  seq: number
  version: number
}

/** Nothing of it. */
export const unread: Position = { seq: -1, version: -1 }

export interface Missed {
  /** Only where it has something that was not read. */
  snapshot: { seq: number; bytes: Uint8Array } | undefined
  /** Updates behind what was read and behind the snapshot. */
  updates: LoggedUpdate[]
  /** The files of the last version, where that is new. */
  files: StoredFile[] | undefined
}

type StoredFile = Awaited<ReturnType<typeof readFiles>>[number]

/** What others wrote to a document since it was read. */
export async function readMissed(
  transaction: Transaction,
  name: DocumentName,
  { state, seen }: { state: DocumentState; seen: Position },
): Promise<Missed> {
  const isBehind = state.seq > seen.seq
  const snapshot = isBehind ? await readSnapshot(transaction, name) : undefined
  const since = Math.max(seen.seq, snapshot?.seq ?? 0)
  const updates = isBehind ? await readUpdates(transaction, name, since) : []
  const files = state.version > seen.version ? await readFiles(transaction, name) : undefined
  return { snapshot: snapshot && snapshot.seq > seen.seq ? snapshot : undefined, updates, files }
}

/** Brings known files up to date with the store's; the keyframes that are known of them stay. */
export function renewKnown(known: Map<string, KnownFile>, files: StoredFile[]): void {
  const before = new Map(known)
  known.clear()
  for (const { path, ...file } of files) {
    const keyframe = before.get(path)?.keyframe
    known.set(path, keyframe ? { ...file, keyframe } : file)
  }
}
