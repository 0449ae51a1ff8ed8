import { FilePlus2, FileUp, FolderTree } from 'lucide-react'
import { useRef, type ComponentProps } from 'react'
import type { Right } from '../../data/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { FileTree } from './tree/file-tree.tsx'
import type { GivenUpload } from './use-upload.ts'

interface FilesPaneProps extends Omit<ComponentProps<typeof FileTree>, 'onRename' | 'onDelete'> {
  mayWrite: Right
  progress: { done: number; of: number } | undefined
  onNew: () => void
  onUpload: (given: GivenUpload[]) => void
  onRename: (path: string) => void
  onDelete: (path: string) => void
}

/** The files of a workspace, and ways to add some. */
export function FilesPane({ mayWrite, progress, onNew, onUpload, onRename, onDelete, ...tree }: FilesPaneProps) {
  const input = useRef<HTMLInputElement>(null)
  const pick = () => input.current?.click()
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-canvas">
      <div className="flex h-10 shrink-0 items-center gap-1 border-b border-line pr-1.5 pl-4">
        <h2 className="flex-1 text-dense font-semibold">Files</h2>
        {progress && (
          <span role="status" className="text-small text-muted tabular">
            {progress.done + 1} of {progress.of}
          </span>
        )}
        {mayWrite.may && (
          <>
            <IconButton label="New file" size="small" icon={<FilePlus2 aria-hidden />} onClick={onNew} />
            <IconButton label="Upload files" size="small" icon={<FileUp aria-hidden />} onClick={pick} />
          </>
        )}
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files to upload"
          onChange={(event) => {
            const given = [...(event.target.files ?? [])].map((file) => ({ path: file.name, file }))
            event.target.value = ''
            onUpload(given)
          }}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {tree.files.length === 0 ? (
          <Empty
            icon={FolderTree}
            title="No files yet"
            action={
              mayWrite.may && (
                <Button look="primary" onClick={onNew}>
                  New file
                </Button>
              )
            }
          >
            {mayWrite.may ? 'Make one, or drop files here.' : 'Nobody has put anything in yet.'}
          </Empty>
        ) : (
          <FileTree
            {...tree}
            onRename={mayWrite.may ? onRename : undefined}
            onDelete={mayWrite.may ? onDelete : undefined}
          />
        )}
      </div>
    </div>
  )
}
