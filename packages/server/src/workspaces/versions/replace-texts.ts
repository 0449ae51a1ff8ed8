import type { Author, ReplacedFile } from '@coherex/contract'
import type { DocumentName } from '../document/document-store.ts'
import type { WorkspaceFiles } from '../files/workspace-files.ts'
import { unifiedDiff } from './unified-diff.ts'

export type Replace = Parameters<WorkspaceFiles['planReplace']>[1] & {
  author: Author
  /** Says what would change, and changes nothing. */
  isPreview: boolean
}

/** Replaces text in files as one version, and keeps what others type meanwhile. */
export async function replaceTexts(
  files: WorkspaceFiles,
  name: DocumentName,
  { author, isPreview, ...request }: Replace,
): Promise<{ version: number; items: ReplacedFile[] }> {
  const plan = await files.planReplace(name, request)
  const items = plan.files.map(({ path, count, before, after }) => ({
    ...{ path, count },
    diff: unifiedDiff({ path, before, after }),
  }))
  const changed = plan.files.filter(({ before, after }) => before !== after)
  if (isPreview || changed.length === 0) return { version: plan.version, items }
  const { version } = await files.changeMany(name, {
    ...{ author, message: `Replaced “${request.pattern.slice(0, 200)}”`, removed: [] },
    written: changed.map(({ path, after }) => ({ path, bytes: Buffer.from(after), readVersion: plan.version })),
  })
  return { version, items }
}
