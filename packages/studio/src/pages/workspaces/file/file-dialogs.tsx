import type { WorkspaceFile } from '@coherex/contract'
import { useFileDelete, useFileMove, useFileWrite } from '../../../data/file.ts'
import { useVersionRestore } from '../../../data/version.ts'
import { AlertDialog } from '../../../ui/alert-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { PathDialog } from '../path-dialog.tsx'

/** A dialog about files that is open. */
export type FileDialog = { kind: 'new' } | { kind: 'rename'; path: string } | { kind: 'delete'; path: string }

interface FileDialogsProps {
  id: string
  dialog: FileDialog
  files: readonly WorkspaceFile[]
  onClose: () => void
  onMade: (path: string) => void
  onMoved: (from: string, to: string) => void
  onDeleted: (path: string) => void
}

export function FileDialogs({ id, dialog, files, onClose, onMade, onMoved, onDeleted }: FileDialogsProps) {
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
        description="Slashes make folders."
        confirm="Make file"
        initial=""
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
  const { path } = dialog
  if (dialog.kind === 'rename') {
    return (
      <PathDialog
        title={`Rename or move ${path}`}
        description="Whoever types in it goes on typing."
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
  const below = files.filter((file) => file.path === path || file.path.startsWith(`${path}/`))
  const paths = below.map((file) => file.path)
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
                    toast({ title: `${path} was not brought back`, description: message, tone: 'error' }),
                  )
              toast({ title: `${path} is deleted`, action: { label: 'Undo', run: undo } })
            },
          },
        )
      }
    >
      It stays in the history, from where it can be restored.
    </AlertDialog>
  )
}
