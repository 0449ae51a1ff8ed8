import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Right } from '../../../data/access/rights.ts'
import { useFileWrite } from '../../../data/file.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast/toast.ts'

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

interface GoneNoticeProps {
  id: string
  path: string
  /** As it was in sight. */
  text: string
  mayWrite: Right
  onClose: () => void
}

/** Others deleted the file: its text stays here until one chooses. */
export function GoneNotice({ id, path, text, mayWrite, onClose }: GoneNoticeProps) {
  const write = useFileWrite()
  const bringBack = () =>
    write.mutate(
      { params: { id, path }, query: { expectedVersion: 0, message: `Brought back ${path}` }, body: text },
      {
        onError: ({ message }) => toast({ title: `Could not bring ${path} back`, description: message, tone: 'error' }),
      },
    )
  return (
    <Notice
      actions={
        <>
          {mayWrite.may && (
            <Button size="small" look="primary" busy={write.isPending} onClick={bringBack}>
              Bring it back
            </Button>
          )}
          <Button size="small" onClick={onClose}>
            Close the tab
          </Button>
        </>
      }
    >
      This file was deleted. What you see is its text until then; it is in the history too.
    </Notice>
  )
}

export function MovedNotice({ to, onFollow }: { to: string; onFollow: () => void }) {
  return (
    <Notice
      actions={
        <Button size="small" onClick={onFollow}>
          Go on there
        </Button>
      }
    >
      This file was moved to <code>{to}</code>. What you type here goes there.
    </Notice>
  )
}

export function RefusedNotice({ reason, onDiscard }: { reason: string; onDiscard: () => void }) {
  return (
    <Notice
      actions={
        <Button size="small" onClick={onDiscard}>
          Discard what was refused
        </Button>
      }
    >
      The server did not take your last changes: {reason}. Copy what you need from here, then go on with what is stored.
    </Notice>
  )
}
