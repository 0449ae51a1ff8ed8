import type { WorkspaceFile } from '@coherex/contract'
import { useState, type ComponentProps } from 'react'
import type { EditorCursor } from '../../../editor/code-editor.tsx'
import { BlobFile } from './blob-file.tsx'
import { TextFile } from './text-file.tsx'

type Shared = Omit<
  ComponentProps<typeof TextFile>,
  'path' | 'file' | 'form' | 'line' | 'isShown' | 'autoFocus' | 'onCursor'
>

interface OpenFilesProps extends Shared {
  active: string
  line: number | undefined
  /** The paths that have a tab. */
  open: readonly string[]
  /** The file that was just made. */
  made: string | undefined
  fileOf: (path: string) => WorkspaceFile | undefined
  formOf: (path: string) => ComponentProps<typeof TextFile>['form']
  onCursor: (path: string, cursor: EditorCursor) => void
}

// each has an editor of its own, with its cursor, its place and its undo
const mostKept = 6

/** The active file, and the last ones before it as they were left. */
export function OpenFiles({ active, line, open, made, fileOf, formOf, onCursor, ...shared }: OpenFilesProps) {
  const [kept, setKept] = useState<readonly string[]>([])
  const next = [active, ...kept.filter((path) => path !== active && open.includes(path))].slice(0, mostKept)
  if (next.length !== kept.length || next.some((path, index) => path !== kept[index])) setKept(next)
  return next.toSorted().map((path) => {
    const file = fileOf(path)
    const isActive = path === active
    // what is not in sight keeps its editor, and nothing else
    if (file?.kind === 'blob') return isActive && <BlobFile key={path} id={shared.id} file={file} />
    return (
      <div key={path} hidden={!isActive} className="flex min-h-0 flex-1 flex-col">
        <TextFile
          {...shared}
          path={path}
          file={file}
          form={formOf(path)}
          isShown={isActive}
          line={isActive ? line : undefined}
          autoFocus={path === made}
          onCursor={(cursor) => onCursor(path, cursor)}
        />
      </div>
    )
  })
}
