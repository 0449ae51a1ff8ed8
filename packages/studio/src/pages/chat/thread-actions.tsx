import type { ThreadSummary } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Eraser, FileJson, FileText, Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useRight } from '../../data/rights.ts'
import { useThreadChange } from '../../data/thread/thread-change.ts'
import { useThreadClear } from '../../data/thread/thread-clear.ts'
import { useThreadDelete } from '../../data/thread/thread-delete.ts'
import { threadExportUrl } from '../../data/thread/thread-export.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'
import { threadTitle } from './thread-words.ts'

const RenameThreadDialog = lazy(async () => ({
  default: (await import('./rename-thread-dialog.tsx')).RenameThreadDialog,
}))

interface ThreadActionsProps {
  thread: ThreadSummary
  /** The last message that is shown. */
  headId: string | undefined
}

/** What can be done with a conversation as a whole. */
export function ThreadActions({ thread, headId }: ThreadActionsProps) {
  const [open, setOpen] = useState<'rename' | 'delete'>()
  const change = useThreadChange()
  const clear = useThreadClear()
  const { may } = useRight('editor', 'change conversations')
  const params = { id: thread.id }
  const tellFailure = (error: Error) => toast({ title: error.message, tone: 'error' })
  const pin = () => change.mutate({ params, body: { pinned: !thread.pinned } }, { onError: tellFailure })
  const begin = () =>
    clear.mutate(
      { params },
      {
        onSuccess: () =>
          toast({
            title: 'The conversation begins anew',
            ...(headId && {
              action: {
                label: 'Undo',
                run: () => change.mutate({ params, body: { head: headId } }, { onError: tellFailure }),
              },
            }),
          }),
        onError: tellFailure,
      },
    )
  const download = (format: 'json' | 'markdown') => location.assign(threadExportUrl(thread.id, format))
  return (
    <>
      <Menu trigger={<IconButton label="More" icon={<Ellipsis aria-hidden />} />}>
        <MenuItem icon={<Pencil />} disabled={!may} onSelect={() => setOpen('rename')}>
          Rename
        </MenuItem>
        <MenuItem icon={thread.pinned ? <PinOff /> : <Pin />} disabled={!may} onSelect={pin}>
          {thread.pinned ? 'Unpin' : 'Pin'}
        </MenuItem>
        <MenuItem icon={<Eraser />} disabled={!may || thread.turnId !== null || !headId} onSelect={begin}>
          Clear
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<FileText />} onSelect={() => download('markdown')}>
          Export as Markdown
        </MenuItem>
        <MenuItem icon={<FileJson />} onSelect={() => download('json')}>
          Export as JSON
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<Trash2 />} danger disabled={!may} onSelect={() => setOpen('delete')}>
          Delete
        </MenuItem>
      </Menu>
      {open === 'rename' && (
        <Suspense>
          <RenameThreadDialog thread={thread} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
      {open === 'delete' && <DeleteDialog thread={thread} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function DeleteDialog({ thread, onClose }: { thread: ThreadSummary; onClose: () => void }) {
  const remove = useThreadDelete()
  const navigate = useNavigate()
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Delete “${threadTitle(thread)}”?`}
      confirm="Delete conversation"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { id: thread.id } },
          {
            onSuccess() {
              toast({ title: 'The conversation is deleted' })
              void navigate({ to: '/threads' })
            },
          },
        )
      }
    >
      All its messages and branches go for everyone in the team. Export it first to keep a copy.
    </AlertDialog>
  )
}
