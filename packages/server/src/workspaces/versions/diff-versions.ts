import { setImmediate } from 'node:timers/promises'
import type { FileDiff } from '@coherex/contract'
import type { Database } from '../../base/index.ts'
import { readTexts } from '../content-store.ts'
import type { DocumentName } from '../document/document-store.ts'
import { matchFiles } from '../files/match-files.ts'
import { selectTree, selectTreeFile, type TreeFile } from '../version-store.ts'
import { unifiedDiff } from './unified-diff.ts'

// texts that are read at once
const filesAtOnce = 50

export interface Pair {
  path: string
  before: TreeFile | undefined
  after: TreeFile | undefined
}

/** What differs between two versions, file by file. */
export async function diffVersions(
  database: Database,
  name: DocumentName,
  { from, to, globs }: { from: number; to: number; globs?: string[] | undefined },
): Promise<FileDiff[]> {
  const [before, after] = await database.transaction({ team: name.teamId }, async (transaction) => [
    await selectTree(transaction, name, from),
    await selectTree(transaction, name, to),
  ])
  const matches = matchFiles(globs)
  const pairs = pairUp(before ?? [], after ?? []).filter(({ path }) => matches(path))
  const diffs: FileDiff[] = []
  for (let at = 0; at < pairs.length; at += filesAtOnce) {
    const some = pairs.slice(at, at + filesAtOnce)
    const hashes = some
      .flatMap((pair) => [pair.before, pair.after])
      .flatMap((file) => (file?.kind === 'text' ? [file.hash] : []))
    const texts = await database.transaction({ team: name.teamId }, (transaction) =>
      readTexts(transaction, name, hashes),
    )
    const textOf = (file: TreeFile | undefined) => (file ? texts.get(file.hash)?.toString() : undefined)
    for (const pair of some) {
      diffs.push(toDiff(pair, textOf(pair.before), textOf(pair.after)))
      // others have their turn between two files
      await setImmediate()
    }
  }
  return diffs
}

/** What differs in one file between two versions; undefined when nothing does. */
export async function diffFile(
  database: Database,
  name: DocumentName,
  { from, to, path }: { from: number; to: number; path: string },
): Promise<FileDiff | undefined> {
  return database.transaction({ team: name.teamId }, async (transaction) => {
    const before = await selectTreeFile(transaction, name, from, path)
    const after = await selectTreeFile(transaction, name, to, path)
    if (before?.hash === after?.hash && before?.kind === after?.kind) return undefined
    const hashes = [before, after].flatMap((file) => (file?.kind === 'text' ? [file.hash] : []))
    const texts = await readTexts(transaction, name, hashes)
    const textOf = (file: TreeFile | undefined) => file && texts.get(file.hash)?.toString()
    return toDiff({ path, before, after }, textOf(before), textOf(after))
  })
}

/** The same content that went from one path and came to another was moved. */
export function pairUp(before: TreeFile[], after: TreeFile[]): Pair[] {
  const [old, now] = [new Map(before.map((file) => [file.path, file])), new Map(after.map((file) => [file.path, file]))]
  const gone = new Map(before.filter(({ path }) => !now.has(path)).map((file) => [file.hash, file]))
  const pairs: Pair[] = []
  const moved = new Set<string>()
  for (const file of after) {
    const same = old.get(file.path)
    if (same?.hash === file.hash && same.kind === file.kind) continue
    const source = same ?? gone.get(file.hash)
    if (source && !same) {
      moved.add(source.path)
      gone.delete(file.hash)
    }
    pairs.push({ path: file.path, before: source, after: file })
  }
  for (const file of before) {
    if (!now.has(file.path) && !moved.has(file.path)) pairs.push({ path: file.path, before: file, after: undefined })
  }
  return pairs.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function toDiff(
  { path, before, after }: Pair,
  textBefore: string | undefined,
  textAfter: string | undefined,
): FileDiff {
  const binary = before?.kind === 'blob' || after?.kind === 'blob'
  const from = before && before.path !== path ? before.path : undefined
  const change = !before ? 'added' : !after ? 'deleted' : from ? 'moved' : 'changed'
  return {
    path,
    change,
    ...(from ? { from } : {}),
    binary,
    diff: binary ? '' : unifiedDiff({ path, from, before: textBefore, after: textAfter }),
  }
}
