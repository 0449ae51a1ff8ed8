import { FileChange, type FileChangeProps } from '../../../change/file-change.tsx'
import type { BesideItem } from '../../../ui/beside/beside.ts'

/** A change of one file, with all of its lines; `of` names what made it. */
export const changeBeside = (of: string, change: FileChangeProps): BesideItem => ({
  key: `change ${of} ${change.path}`,
  title: change.path.split('/').at(-1) ?? change.path,
  content: (
    <div className="min-h-0 flex-1 overflow-y-auto p-3">
      <FileChange {...change} startsOpen />
    </div>
  ),
})
