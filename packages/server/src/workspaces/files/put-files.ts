import type { Author, ChangeResult } from '@coherex/contract'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { checkContents, putContent, type Content } from './change-files.ts'

/** Writes many files as one version. */
export async function putFiles(
  document: WorkspaceDocument,
  contents: Map<string, Content>,
  { author, message }: { author: Author; message?: string | undefined },
): Promise<ChangeResult> {
  await document.change(
    author,
    (doc) => {
      checkContents(document, contents, new Set())
      for (const [path, content] of contents) putContent(doc, path, content)
    },
    { message },
  )
  return { version: document.version }
}
