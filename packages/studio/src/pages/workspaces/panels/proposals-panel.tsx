import type { Proposal } from '@coherex/contract'
import { Check, GitPullRequestArrow, X } from 'lucide-react'
import { useProposalDecide, useProposalList } from '../../../data/proposal.ts'
import type { Right } from '../../../data/rights.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { Time } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toast.ts'
import { DiffLines } from '../diff/diff-lines.tsx'

interface ProposalsPanelProps {
  id: string
  mayWrite: Right
  onOpen: (path: string) => void
}

/** Edits of agents that touch lines a person changed. */
export function ProposalsPanel({ id, mayWrite, onOpen }: ProposalsPanelProps) {
  const proposals = useProposalList(id)
  if (proposals.error && !proposals.items) {
    return <ErrorState doing="load the proposals" error={proposals.error} onRetry={() => void proposals.refetch()} />
  }
  if (proposals.items?.length === 0) {
    return (
      <Empty icon={GitPullRequestArrow} title="Nothing to decide">
        When an agent changes lines that a person has changed since it read them, its edit waits here.
      </Empty>
    )
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-3">
      {proposals.items?.map((proposal) => (
        <ProposalCard key={proposal.id} id={id} proposal={proposal} mayWrite={mayWrite} onOpen={onOpen} />
      ))}
    </div>
  )
}

function ProposalCard({ id, proposal, mayWrite, onOpen }: ProposalsPanelProps & { proposal: Proposal }) {
  const decide = useProposalDecide()
  const { path, author, message, createdAt, diff } = proposal
  const tell = (decision: 'accept' | 'reject') =>
    decide.mutate(
      { params: { id, proposalId: proposal.id }, body: { decision } },
      { onSuccess: () => toast({ title: decision === 'accept' ? `Accepted for ${path}` : `Rejected for ${path}` }) },
    )
  return (
    <article aria-label={`Proposal for ${path}`} className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="flex flex-col gap-1 border-b border-line px-3 py-2">
        <button
          type="button"
          onClick={() => onOpen(path)}
          className="self-start rounded-sm font-mono text-small font-medium text-accent-text hover:underline"
        >
          {path}
        </button>
        {message && <p className="text-dense">{message}</p>}
        <p className="text-small text-muted">
          {author.name} · <Time at={createdAt} />
        </p>
      </div>
      <DiffLines diff={diff} label={`What it would change in ${path}`} />
      <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-3 py-2">
        <FormError error={decide.error} />
        <Reason why={mayWrite.why}>
          <span className="flex gap-2">
            <Button size="small" icon={<X aria-hidden />} disabled={!mayWrite.may} onClick={() => tell('reject')}>
              Reject
            </Button>
            <Button
              size="small"
              look="primary"
              icon={<Check aria-hidden />}
              busy={decide.isPending}
              disabled={!mayWrite.may}
              onClick={() => tell('accept')}
            >
              Accept
            </Button>
          </span>
        </Reason>
      </div>
    </article>
  )
}
