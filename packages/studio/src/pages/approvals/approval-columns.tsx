import type { Approval, ApprovalStatus } from '@coherex/contract'
import { Ban, Check, CirclePause, Clock, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Column } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Time } from '../../ui/text/time.tsx'

const pills: Record<ApprovalStatus, ReactNode> = {
  pending: (
    <Pill tone="amber" icon={<CirclePause aria-hidden />}>
      waiting
    </Pill>
  ),
  approved: (
    <Pill tone="green" icon={<Check aria-hidden />}>
      approved
    </Pill>
  ),
  rejected: (
    <Pill tone="red" icon={<X aria-hidden />}>
      rejected
    </Pill>
  ),
  expired: <Pill icon={<Clock aria-hidden />}>expired</Pill>,
  cancelled: <Pill icon={<Ban aria-hidden />}>cancelled</Pill>,
}

export const approvalColumns: readonly Column<Approval>[] = [
  { key: 'status', header: 'Status', cell: ({ status }) => pills[status] },
  {
    key: 'question',
    header: 'Question',
    isName: true,
    className: 'w-full max-w-0',
    cell: ({ agent, tool, shownInput, note }) => (
      <span className="block min-w-0">
        <span className="block truncate">
          <span className="font-medium">{agent}</span> · <code>{tool}</code>
          {note && <span className="text-muted"> · “{note}”</span>}
        </span>
        <code className="block truncate text-small text-muted">{shownInput.replaceAll(/\s+/g, ' ')}</code>
      </span>
    ),
  },
  {
    key: 'for',
    header: 'Works for',
    from: 'lg',
    className: 'whitespace-nowrap',
    cell: ({ requestedBy }) => requestedBy.name,
  },
  {
    key: 'by',
    header: 'Answered by',
    from: 'sm',
    className: 'whitespace-nowrap',
    cell: ({ decidedBy }) => decidedBy?.name ?? '–',
  },
  { key: 'asked', header: 'Asked', align: 'right', from: 'md', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
