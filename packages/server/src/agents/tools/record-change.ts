import { CoherexError, type RecordedChange } from '@coherex/contract'
import type { DocumentName, Workspaces } from '../../workspaces/index.ts'

interface Changed {
  path: string
  from?: string | undefined
  /** The last version after the call. */
  version: number
  author: string
}

/** What a call did to one file, for people who read it later; undefined where it left the file as it was. */
export async function recordChange(
  { versions }: Workspaces,
  name: DocumentName,
  { path, from, version, author }: Changed,
): Promise<RecordedChange | undefined> {
  const sides = { workspaceId: name.workspaceId, before: version - 1, after: version }
  try {
    const made = await versions.get(name, version)
    // a call that changes nothing makes no version: the last one is somebody else's
    if (made.author.kind !== 'agent' || made.author.id !== author) return undefined
    if (from !== undefined) return { path, from, change: 'moved', ...sides, added: 0, removed: 0 }
    const [item] = (await versions.diff(name, { from: sides.before, to: sides.after, path })).items
    if (item) return { path, change: item.change, ...sides, ...countChanged(item.diff) }
    // a folder that was deleted is no file on either side
    const isFolder = made.changes.some((one) => one.path.startsWith(`${path}/`))
    return isFolder ? { path, change: 'deleted', ...sides, added: 0, removed: 0 } : undefined
  } catch (error) {
    // others took its versions away at the same moment: the file is written all the same
    if (error instanceof CoherexError) return undefined
    throw error
  }
}

function countChanged(diff: string): { added: number; removed: number } {
  const lines = diff.split('\n').slice(2)
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return { added: count('+'), removed: count('-') }
}
