import { useQuery } from '@tanstack/react-query'
import { approvalQuery } from '../../../data/approval.ts'
import { Callout } from '../../../ui/callout.tsx'
import { ApprovalCard } from '../../approvals/approval-card.tsx'
import type { ItemProps } from '../inbox-item-view.tsx'
import { Loaded } from './loaded.tsx'

export function ApprovalItem({ item, onDecided }: ItemProps) {
  return (
    <Loaded query={useQuery(approvalQuery(item.id))} what="the question">
      {(approval) => (
        <div className="p-4">
          {approval.status === 'pending' ? (
            <ApprovalCard approval={approval} onDecided={onDecided} />
          ) : (
            <Callout>
              {approval.decidedBy
                ? `${approval.decidedBy.name} ${approval.status} it${approval.note ? `: ${approval.note}` : ''}.`
                : `It is ${approval.status}.`}
            </Callout>
          )}
        </div>
      )}
    </Loaded>
  )
}
