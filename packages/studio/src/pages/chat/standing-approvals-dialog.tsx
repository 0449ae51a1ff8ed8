import { useQuery } from '@tanstack/react-query'
import { useRight } from '../../data/access/rights.ts'
import { threadApprovalsQuery, useApprovalWithdraw } from '../../data/approval.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody } from '../../ui/dialog/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { Reason } from '../../ui/reason.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/text/time.tsx'

/** What agents do in a conversation without asking again, and the way back. */
export function StandingApprovalsDialog({ threadId, onClose }: { threadId: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(threadApprovalsQuery(threadId))
  const withdraw = useApprovalWithdraw()
  const right = useRight('editor', 'answer for the team')
  return (
    <Dialog
      open
      onClose={onClose}
      title="Approved in this conversation"
      description="Calls that agents make here without asking again, each for one person."
    >
      <DialogBody>
        {!data && error && <ErrorState doing="load the approvals" error={error} onRetry={() => void refetch()} />}
        {!data && !error && <WaitingLines label="Loading" className="gap-2" lines={['h-8 w-full']} />}
        {data?.items.length === 0 && (
          <p className="pb-3 text-dense text-muted">
            No standing approvals. Choose “Always in this conversation” when you approve a call to add one.
          </p>
        )}
        <ul className="divide-y divide-line pb-2">
          {data?.items.map(({ id, agent, tool, requestedBy, decidedBy, createdAt }) => (
            <li key={id} className="flex items-center gap-3 py-2 text-dense">
              <span className="min-w-0 flex-1">
                {agent} uses <code>{tool}</code> for {requestedBy.name}
                <span className="block text-small text-muted">
                  approved by {decidedBy.name} <Time at={createdAt} />
                </span>
              </span>
              <Reason why={right.why}>
                <Button
                  size="small"
                  aria-label={`Ask again before ${tool}`}
                  disabled={!right.may}
                  busy={withdraw.isPending && withdraw.variables.params.approvalId === id}
                  onClick={() => withdraw.mutate({ params: { id: threadId, approvalId: id } })}
                >
                  Ask again
                </Button>
              </Reason>
            </li>
          ))}
        </ul>
        <FormError error={withdraw.error} />
      </DialogBody>
    </Dialog>
  )
}
