import { entryOf, textOf } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'

/** The text of a file as it is now, typed to the last character; undefined when there is none or it is a blob. */
export function currentText({ doc }: WorkspaceDocument, path: string): string | undefined {
  const entry = entryOf(doc, path)
  return entry?.kind === 'text' ? textOf(doc, entry.id).toString() : undefined
}
