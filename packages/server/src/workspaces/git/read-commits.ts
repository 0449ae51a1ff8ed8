import { CoherexError, type WorkspaceVersion } from '@coherex/contract'
import { and, asc, desc, eq, gt, lte } from 'drizzle-orm'
import type { Blobs, Database } from '../../base/index.ts'
import { readTexts } from '../content-store.ts'
import type { DocumentName } from '../document/document-store.ts'
import { changeTable, versionTable, type ContentKind } from '../tables.ts'
import { selectTree, selectVersion } from '../version-store.ts'
import { gitLimits, mostCommits } from './git-limits.ts'
import { refusePath } from './git-path.ts'
import type { NewCommit } from './git-task.ts'
import { toCommit } from './to-commit.ts'

interface Rooms {
  database: Database
  blobs: Blobs
}

export interface Outgoing {
  /** The version that was synced last, with its files. */
  base: { version: Omit<NewCommit, 'changes'>; files: { path: string; hash: string }[] } | undefined
  commits: NewCommit[]
  contents: Map<string, Uint8Array>
  /** The last version of them. */
  version: number
}

interface Wanted {
  kind: ContentKind
  size: number
}

// texts that are read at once
const textsAtOnce = 200

/** The versions after one as commits, with all that is in their files. Of many versions the older ones become one commit. */
export async function readCommits(rooms: Rooms, name: DocumentName, after: number | undefined): Promise<Outgoing> {
  const wanted = new Map<string, Wanted>()
  const plan = await rooms.database.transaction({ team: name.teamId }, async (transaction) => {
    const ofWorkspace = and(eq(versionTable.teamId, name.teamId), eq(versionTable.workspaceId, name.workspaceId))
    const newest = await transaction
      .select({ number: versionTable.number })
      .from(versionTable)
      .where(and(ofWorkspace, gt(versionTable.number, after ?? 0)))
      .orderBy(desc(versionTable.number))
      .limit(mostCommits + 1)
    const numbers = newest.map(({ number }) => number).toReversed()
    const isCut = numbers.length > mostCommits
    if (isCut) numbers.shift()
    const versions: WorkspaceVersion[] = []
    for (const number of numbers) versions.push(await selectVersion(transaction, name, number))
    const want = (path: string, file: { kind: ContentKind | null; hash: string | null; size: number }) => {
      const why = refusePath(path)
      if (why !== undefined) throw new CoherexError('invalid_input', `Cannot push "${path}": ${why}`)
      if (file.kind && file.hash) wanted.set(file.hash, { kind: file.kind, size: file.size })
      return { path, hash: file.hash }
    }
    const before = after === undefined ? [] : await selectTree(transaction, name, after)
    const base = after === undefined ? undefined : toCommit(await selectVersion(transaction, name, after))
    const [first] = versions
    const commits: NewCommit[] = []
    if (first) {
      const then = await selectTree(transaction, name, first.number)
      const changes = diffTrees(before, then).map((file) => want(file.path, file))
      commits.push({ ...toCommit(first, isCut ? { first: (after ?? 0) + 1 } : {}), changes })
      const later = await transaction
        .select()
        .from(changeTable)
        .where(
          and(
            eq(changeTable.teamId, name.teamId),
            eq(changeTable.workspaceId, name.workspaceId),
            gt(changeTable.number, first.number),
            lte(changeTable.number, versions.at(-1)?.number ?? 0),
          ),
        )
        .orderBy(asc(changeTable.number), asc(changeTable.path))
      // of a version that was forgotten the next one has what is left
      let at = 0
      for (const version of versions.slice(1)) {
        const own: NewCommit['changes'] = []
        for (; (later[at]?.number ?? Infinity) <= version.number; at++) {
          const change = later[at]
          if (change) own.push(want(change.path, change))
        }
        commits.push({ ...toCommit(version), changes: own })
      }
    }
    const files = before.map((file) => ({ path: want(file.path, file).path, hash: file.hash }))
    return { base: base && { version: base, files }, commits, version: versions.at(-1)?.number ?? after ?? 0 }
  })
  return { ...plan, contents: await readContents(rooms, name, wanted) }
}

function diffTrees(before: Awaited<ReturnType<typeof selectTree>>, after: Awaited<ReturnType<typeof selectTree>>) {
  const known = new Map(before.map(({ path, hash }) => [path, hash]))
  const changed: { path: string; kind: ContentKind | null; hash: string | null; size: number }[] = []
  for (const { path, kind, hash, size } of after) {
    if (known.get(path) !== hash) changed.push({ path, kind, hash, size })
    known.delete(path)
  }
  for (const path of known.keys()) changed.push({ path, kind: null, hash: null, size: 0 })
  return changed
}

async function readContents(
  { database, blobs }: Rooms,
  name: DocumentName,
  wanted: Map<string, Wanted>,
): Promise<Map<string, Uint8Array>> {
  const bytes = [...wanted.values()].reduce((sum, { size }) => sum + size, 0)
  if (bytes > gitLimits.packBytes) {
    const most = gitLimits.packBytes / 1e6
    throw new CoherexError('too_large', `Cannot push: the files and their versions have more than ${most} MB`)
  }
  const contents = new Map<string, Uint8Array>()
  const texts = [...wanted].flatMap(([hash, { kind }]) => (kind === 'text' ? [hash] : []))
  for (let at = 0; at < texts.length; at += textsAtOnce) {
    const read = await database.transaction({ team: name.teamId }, (transaction) =>
      readTexts(transaction, name, texts.slice(at, at + textsAtOnce)),
    )
    for (const [hash, text] of read) contents.set(hash, text)
  }
  for (const [hash, { kind }] of wanted) {
    if (kind === 'text') continue
    const body = await blobs.read(name.teamId, hash)
    if (!body) throw new CoherexError('not_found', 'Cannot push: the content of a file is gone')
    contents.set(hash, Buffer.concat(await body.toArray()))
  }
  return contents
}
