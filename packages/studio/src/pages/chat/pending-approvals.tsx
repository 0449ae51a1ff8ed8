import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { pendingApprovalsQuery } from '../../data/approval.ts'

// most conversations ask nothing
const ApprovalCard = lazy(async () => ({ default: (await import('../approvals/approval-card.tsx')).ApprovalCard }))

/** Calls of a thread that wait for a person, in the order they stand above. */
export function PendingApprovals({ threadId }: { threadId: string }) {
  const { data } = useQuery(pendingApprovalsQuery(threadId))
  return (
    <Suspense>
      {data?.items.toReversed().map((approval) => (
        <div key={approval.id} className="ml-10 max-md:ml-0">
          <ApprovalCard approval={approval} />
        </div>
      ))}
    </Suspense>
  )
}
