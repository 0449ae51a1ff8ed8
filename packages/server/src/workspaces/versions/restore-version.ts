import { CoherexError, type Author, type ChangeResult } from '@coherex/contract'
import type { Database } from '../../base/index.ts'
import { readTexts } from '../content-store.ts'
import { deleteEntry, entriesOf } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { checkContents, putContents, type Content } from '../files/change-files.ts'
import { planEdits } from '../files/plan-edits.ts'
import { selectTree } from '../version-store.ts'

export interface Restore {
  number: number
  author: Author
  /** Only these files or folders; all when left out. */
  paths?: string[] | undefined
  message?: string | undefined
}

/** Makes files what they were at a version, as a new version: what came later stays in the history. */
export async function restoreVersion(
  database: Database,
  document: WorkspaceDocument,
  { number, author, paths, message = `Restored version ${number}` }: Restore,
): Promise<ChangeResult> {
  const isMeant = (path: string) => !paths || paths.some((one) => path === one || path.startsWith(`${one}/`))
  const contents = await database.transaction({ team: document.name.teamId }, async (transaction) => {
    const files = (await selectTree(transaction, document.name, number)).filter(({ path }) => isMeant(path))
    const hashes = files.flatMap(({ kind, hash }) => (kind === 'text' ? [hash] : []))
    const texts = await readTexts(transaction, document.name, hashes)
    return new Map(
      files.map(({ path, kind, hash, size }): [string, Content] => [
        path,
        kind === 'blob' ? { kind, hash, size } : { kind, text: texts.get(hash)?.toString() ?? '' },
      ]),
    )
  })
  const plan = await planEdits(document, contents)
  await document.change(
    author,
    (doc) => {
      const removed = new Set([...entriesOf(doc).keys()].filter((path) => isMeant(path) && !contents.has(path)))
      if (contents.size === 0 && removed.size === 0 && paths) {
        throw new CoherexError('not_found', `Version ${number} has none of these files`)
      }
      checkContents(document, contents, removed)
      for (const path of removed) deleteEntry(doc, path)
      putContents(doc, contents, plan)
    },
    { message },
  )
  return { version: document.version }
}
