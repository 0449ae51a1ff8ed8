import type { WorkspaceFile } from '@coherex/contract'
import type { ToolNeeds } from '../../../cell/export-as-tool.tsx'
import { LazyExportAsTool } from '../../../cell/lazy-export-as-tool.tsx'
import { useFileDelete, useFileMove, useFileWrite } from '../../../data/file.ts'
import { useVersionRestore } from '../../../data/version.ts'
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { PathDialog } from '../../../workbench/path-dialog.tsx'

/** A dialog about files that is open. */
export type FileDialog =
  | { kind: 'new'; folder: string }
  | { kind: 'new-folder'; folder: string }
  | { kind: 'rename'; path: string }
  | { kind: 'delete'; path: string }
  | { kind: 'export-tool'; path: string; needs?: ToolNeeds | undefined }

interface FileDialogsProps {
  id: string
  dialog: FileDialog
  files: readonly WorkspaceFile[]
  onClose: () => void
  onMade: (path: string) => void
  onFolder: (path: string) => void
  onMoved: (from: string, to: string) => void
  onDeleted: (path: string) => void
}

export function FileDialogs({ id, dialog, files, onClose, onMade, onFolder, onMoved, onDeleted }: FileDialogsProps) {
  const write = useFileWrite()
  const move = useFileMove()
  const remove = useFileDelete()
  const restore = useVersionRestore()
  const taken = new Set(files.map(({ path }) => path))
  const params = { id }

  if (dialog.kind === 'new') {
    return (
      <PathDialog
        title="New file"
        description="Use slashes for folders."
        confirm="Create file"
        initial={below(dialog.folder)}
        taken={taken}
        busy={write.isPending}
        error={write.error}
        onClose={onClose}
        onPick={(path) =>
          write.mutate(
            { params: { id, path }, query: { expectedVersion: 0 }, body: '' },
            { onSuccess: () => (onClose(), onMade(path)) },
          )
        }
      />
    )
  }
  if (dialog.kind === 'new-folder') {
    return (
      <PathDialog
        title="New folder"
        description="It is saved once it contains a file."
        confirm="Create folder"
        initial={below(dialog.folder)}
        taken={taken}
        busy={false}
        error={null}
        onClose={onClose}
        onPick={(path) => {
          onClose()
          onFolder(path)
        }}
      />
    )
  }
  const { path } = dialog
  if (dialog.kind === 'export-tool') {
    return (
      <LazyExportAsTool
        from={{ workspaceId: id, path }}
        name={path}
        hasDefinition={/(?:^|\/)tool\.yaml$/.test(path) || taken.has(`${path}/tool.yaml`)}
        needs={dialog.needs}
        onClose={onClose}
      />
    )
  }
  if (dialog.kind === 'rename') {
    return (
      <PathDialog
        title={`Rename or move ${path}`}
        description="People who are editing it can keep typing."
        confirm="Move"
        initial={path}
        taken={taken}
        busy={move.isPending}
        error={move.error}
        onClose={onClose}
        onPick={(to) =>
          move.mutate({ params, body: { from: path, to } }, { onSuccess: () => (onClose(), onMoved(path, to)) })
        }
      />
    )
  }
  const within = files.filter((file) => file.path === path || file.path.startsWith(`${path}/`))
  const paths = within.map((file) => file.path)
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Delete ${path}?`}
      confirm={paths.length > 1 ? `Delete ${paths.length} files` : 'Delete file'}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { id, path } },
          {
            onSuccess({ version }) {
              onClose()
              onDeleted(path)
              // the dialog is closed by then, and a mutation of something that is not shown tells nobody of its failure
              const undo = () =>
                void restore
                  .mutateAsync({ params: { id, number: version - 1 }, body: { paths: paths.slice(0, 1000) } })
                  .catch(({ message }: Error) =>
                    toast({ title: `${path} was not restored`, description: message, tone: 'error' }),
                  )
              toast({ title: `${path} is deleted`, action: { label: 'Undo', run: undo } })
            },
          },
        )
      }
    >
      You can restore it from the history.
    </AlertDialog>
  )
}

const below = (folder: string) => (folder === '' ? '' : `${folder}/`)
