import type { Approval } from '@coherex/contract'
import { History } from 'lucide-react'
import { useApprovalList } from '../../data/approval.ts'
import { Empty } from '../../ui/empty.tsx'
import { ListBody } from '../../ui/list/list-body.tsx'
import { approvalColumns } from '../approvals/approval-columns.tsx'

/** Every question of the team's agents, with who answered it and why. */
export function ApprovalHistory() {
  const all = useApprovalList({})
  return (
    <div className="min-h-0 flex-1 bg-surface lg:overflow-y-auto">
      <ListBody<Approval>
        label="Approvals"
        pages={all}
        columns={approvalColumns}
        rowKey={({ id }) => id}
        stickyHeader
        // of a private one they were asked for the call only
        linkOf={({ threadId }) => (threadId === null ? undefined : { to: '/threads/$id', params: { id: threadId } })}
        empty={
          <Empty icon={History} title="No approvals yet">
            An agent asks when its definition or the approval rules of the team say so.
          </Empty>
        }
      />
    </div>
  )
}
