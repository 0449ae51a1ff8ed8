import type { LiveBlock } from './live-block.ts'
import type { LiveWorkspace } from './live-workspace.ts'

/** Texts that several type in at once: the files of a workspace, or a block of a conversation. */
export type LiveTexts = LiveWorkspace | LiveBlock

/** Where the editor keeps them. A block that is opened again is another document, and its texts must not meet those of the last. */
export function folderOf({ kind, id, doc }: LiveTexts): string {
  return kind === 'workspace' ? `workspaces/${id}` : `blocks/${doc.clientID}`
}
