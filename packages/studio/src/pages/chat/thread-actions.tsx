import type { ThreadSummary } from '@coherex/contract'
import {
  Archive,
  ArchiveRestore,
  CirclePause,
  Ellipsis,
  Eraser,
  FileJson,
  FileText,
  Link2,
  Lock,
  NotebookText,
  Pencil,
  Pin,
  PinOff,
  Trash2,
  Users,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '../../data/access/me.ts'
import { useRight } from '../../data/access/rights.ts'
import { useThreadChange } from '../../data/thread/thread-change.ts'
import { useThreadClear } from '../../data/thread/thread-clear.ts'
import { threadExportUrl } from '../../data/thread/thread-export.ts'
import type { Command } from '../../shell/palette/command.ts'
import { usePageCommands } from '../../shell/palette/page-commands.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast/toast.ts'

const RenameThreadDialog = lazy(async () => ({
  default: (await import('./rename-thread-dialog.tsx')).RenameThreadDialog,
}))

const StandingApprovalsDialog = lazy(async () => ({
  default: (await import('./standing-approvals-dialog.tsx')).StandingApprovalsDialog,
}))

const DeleteThreadDialog = lazy(async () => ({
  default: (await import('./delete-thread-dialog.tsx')).DeleteThreadDialog,
}))

const ReachDialog = lazy(async () => ({ default: (await import('./reach-dialog.tsx')).ReachDialog }))

const ShareDialog = lazy(async () => ({
  default: (await import('../../artifact/shares/share-dialog.tsx')).ShareDialog,
}))

interface ThreadActionsProps {
  thread: ThreadSummary
  /** The last message that is shown. */
  headId: string | undefined
}

/** What can be done with a conversation as a whole. */
export function ThreadActions({ thread, headId }: ThreadActionsProps) {
  const [open, setOpen] = useState<'rename' | 'approvals' | 'reach' | 'link' | 'delete'>()
  const change = useThreadChange()
  const clear = useThreadClear()
  const { may } = useRight('editor', 'change conversations')
  const { person } = useMe()
  // an agent's has the reach of the one it was asked in, and a trigger's is the team's
  const isOwn = thread.createdBy.id === person.id && (thread.startedBy === 'person' || thread.startedBy === 'key')
  const params = { id: thread.id }
  const tellFailure = (error: Error) => toast({ title: error.message, tone: 'error' })
  const pin = () => change.mutate({ params, body: { pinned: !thread.pinned } }, { onError: tellFailure })
  const archive = (isArchived: boolean) =>
    change.mutate(
      { params, body: { isArchived } },
      {
        onSuccess: () =>
          toast({
            title: isArchived ? 'The conversation is archived' : 'The conversation is unarchived',
            ...(isArchived && { action: { label: 'Undo', run: () => archive(false) } }),
          }),
        onError: tellFailure,
      },
    )
  const begin = () =>
    clear.mutate(
      { params },
      {
        onSuccess: () =>
          toast({
            title: 'The conversation is cleared',
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
  const download = (format: 'json' | 'markdown' | 'ipynb') => location.assign(threadExportUrl(thread.id, format))
  const command = (label: string, icon: Command['icon'], run: () => void): Command => ({
    ...{ id: `thread ${label}`, group: 'This conversation', words: 'chat thread', label, icon, run },
  })
  const reachWords = thread.reach === 'private' ? 'Share with team…' : 'Make private…'
  usePageCommands([
    ...(may
      ? [
          command('Rename conversation', Pencil, () => setOpen('rename')),
          command(thread.pinned ? 'Unpin conversation' : 'Pin conversation', thread.pinned ? PinOff : Pin, pin),
          ...(isOwn ? [command(reachWords, thread.reach === 'private' ? Users : Lock, () => setOpen('reach'))] : []),
          ...(headId ? [command('Share a link…', Link2, () => setOpen('link'))] : []),
          command(thread.isArchived ? 'Unarchive conversation' : 'Archive conversation', Archive, () =>
            archive(!thread.isArchived),
          ),
        ]
      : []),
    command('Export conversation as Markdown', FileText, () => download('markdown')),
  ])
  return (
    <>
      <Menu trigger={<IconButton label="More" icon={<Ellipsis aria-hidden />} />}>
        <MenuItem icon={<Pencil />} disabled={!may} onSelect={() => setOpen('rename')}>
          Rename
        </MenuItem>
        <MenuItem icon={thread.pinned ? <PinOff /> : <Pin />} disabled={!may} onSelect={pin}>
          {thread.pinned ? 'Unpin' : 'Pin'}
        </MenuItem>
        {isOwn && (
          <MenuItem
            icon={thread.reach === 'private' ? <Users /> : <Lock />}
            disabled={!may}
            onSelect={() => setOpen('reach')}
          >
            {reachWords}
          </MenuItem>
        )}
        <MenuItem
          icon={thread.isArchived ? <ArchiveRestore /> : <Archive />}
          disabled={!may}
          onSelect={() => archive(!thread.isArchived)}
        >
          {thread.isArchived ? 'Unarchive' : 'Archive'}
        </MenuItem>
        <MenuItem icon={<Eraser />} disabled={!may || thread.turnId !== null || !headId} onSelect={begin}>
          Clear
        </MenuItem>
        <MenuItem icon={<CirclePause />} onSelect={() => setOpen('approvals')}>
          Standing approvals
        </MenuItem>
        <MenuItem icon={<Link2 />} disabled={!may || !headId} onSelect={() => setOpen('link')}>
          Share a link…
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<FileText />} onSelect={() => download('markdown')}>
          Export as Markdown
        </MenuItem>
        <MenuItem icon={<FileJson />} onSelect={() => download('json')}>
          Export as JSON
        </MenuItem>
        <MenuItem icon={<NotebookText />} onSelect={() => download('ipynb')}>
          Export as a Jupyter notebook
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
      {open === 'approvals' && (
        <Suspense>
          <StandingApprovalsDialog threadId={thread.id} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
      {open === 'reach' && (
        <Suspense>
          <ReachDialog thread={thread} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
      {open === 'link' && (
        <Suspense>
          <ShareDialog
            of={{ threadId: thread.id }}
            noun="conversation"
            title={thread.title || 'Conversation'}
            onClose={() => setOpen(undefined)}
          />
        </Suspense>
      )}
      {open === 'delete' && (
        <Suspense>
          <DeleteThreadDialog thread={thread} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}
