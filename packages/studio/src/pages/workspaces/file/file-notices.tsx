import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { fileDiffQuery } from '../../../data/version.ts'
import { Button } from '../../../ui/button.tsx'
import { DiffLines } from '../diff/diff-lines.tsx'

function Notice({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <div
      role="status"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-amber-soft px-4 py-2 text-dense text-amber"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 basis-60">{children}</span>
      {actions && <span className="flex flex-wrap gap-2">{actions}</span>}
    </div>
  )
}

interface ConflictNoticeProps {
  id: string
  path: string
  /** The version that was typed over. */
  since: number
  onOver: () => void
  onTakeTheirs: () => void
}

/** Others changed the same lines: what they did, and the two ways on. The typed text stays in the editor. */
export function ConflictNotice({ id, path, since, onOver, onTakeTheirs }: ConflictNoticeProps) {
  const [open, setOpen] = useState(true)
  const { data: theirs } = useQuery(fileDiffQuery(id, path, since))
  return (
    <>
      <Notice
        actions={
          <>
            <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? 'Hide theirs' : 'Show theirs'}
            </Button>
            <Button size="small" onClick={onTakeTheirs}>
              Take theirs
            </Button>
            <Button size="small" look="primary" onClick={onOver}>
              Save mine over it
            </Button>
          </>
        }
      >
        Others changed the same lines. Your text is kept here; put theirs into it, or choose one. Both stay in the
        history.
      </Notice>
      {open && theirs?.diff && (
        <div className="max-h-60 shrink-0 overflow-y-auto border-b border-line bg-surface">
          <DiffLines diff={theirs.diff} label="What others changed" />
        </div>
      )}
    </>
  )
}

export function ChangedNotice() {
  return <Notice>Others changed this file while you typed. Saving merges both.</Notice>
}

export function GoneNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <Notice
      actions={
        <Button size="small" onClick={onDiscard}>
          Discard my text
        </Button>
      }
    >
      This file was deleted or moved. Your text is kept here; saving makes the file again.
    </Notice>
  )
}
