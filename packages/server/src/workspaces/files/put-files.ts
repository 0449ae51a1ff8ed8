import type { Author, ChangeResult } from '@coherex/contract'
import { deleteEntry } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { checkContents, putContents, type Content } from './change-files.ts'
import { planEdits } from './plan-edits.ts'

/** Writes and deletes many files as one version. */
export async function putFiles(
  document: WorkspaceDocument,
  contents: Map<string, Content>,
  { author, message, removed = [] }: { author: Author; message?: string | undefined; removed?: string[] },
): Promise<ChangeResult> {
  const plan = await planEdits(document, contents)
  await document.change(
    author,
    (doc) => {
      checkContents(document, contents, new Set(removed))
      for (const path of removed) deleteEntry(doc, path)
      putContents(doc, contents, plan)
    },
    { message },
  )
  return { version: document.version }
}
