import { FolderTree } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { WrittenFiles } from '../run/written-files.tsx'
import { FileTree } from '../tree/file-tree.tsx'

interface FilesPaneProps extends ComponentProps<typeof FileTree> {
  progress: { done: number; of: number } | undefined
  /** The run whose files may be saved here. */
  written: ComponentProps<typeof WrittenFiles> | undefined
}

/** The files of a workspace, and below them what the last run wrote. */
export function FilesPane({ progress, written, ...tree }: FilesPaneProps) {
  const { onNewFile } = tree.actions
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-canvas">
      {progress && (
        <p role="status" className="shrink-0 border-b border-line px-4 py-1 text-small text-muted tabular">
          {progress.done + 1} of {progress.of}
        </p>
      )}
      {tree.files.length === 0 && tree.folders.length === 0 ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <Empty
            icon={FolderTree}
            title="No files yet"
            action={
              onNewFile && (
                <Button look="primary" onClick={() => onNewFile('')}>
                  New file
                </Button>
              )
            }
          >
            {onNewFile ? 'Create one, or drop files here.' : 'Nobody has put anything in yet.'}
          </Empty>
        </div>
      ) : (
        <FileTree {...tree} />
      )}
      {written && <WrittenFiles key={written.runId} {...written} />}
    </div>
  )
}
