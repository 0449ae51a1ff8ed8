import type { Author, ChangeResult } from '@coherex/contract'
import { deleteEntry } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { checkContents, putContent, type Content } from './change-files.ts'

/** Writes and deletes many files as one version. */
export async function putFiles(
  document: WorkspaceDocument,
  contents: Map<string, Content>,
  { author, message, removed = [] }: { author: Author; message?: string | undefined; removed?: string[] },
): Promise<ChangeResult> {
  await document.change(
    author,
    (doc) => {
      checkContents(document, contents, new Set(removed))
      for (const path of removed) deleteEntry(doc, path)
      for (const [path, content] of contents) putContent(doc, path, content)
    },
    { message },
  )
  return { version: document.version }
}
