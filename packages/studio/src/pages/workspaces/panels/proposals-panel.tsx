import type { Proposal } from '@coherex/contract'
import { GitPullRequestArrow } from 'lucide-react'
import { useState } from 'react'
import { FileChange } from '../../../change/file-change.tsx'
import { splitHunks } from '../../../change/split-hunks.ts'
import type { Right } from '../../../data/access/rights.ts'
import { readFileText } from '../../../data/file.ts'
import { useProposalDecide, useProposalList } from '../../../data/proposal.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FormError } from '../../../ui/field/form-error.tsx'
import { Switch } from '../../../ui/field/switch.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { Decision } from '../../approvals/decision.tsx'

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

interface ProposalCardProps extends ProposalsPanelProps {
  proposal: Proposal
  /** After an answer of mine. */
  onDecided?: () => void
}

export function ProposalCard({ id, proposal, mayWrite, onOpen, onDecided }: ProposalCardProps) {
  const decide = useProposalDecide()
  const { path, author, message, createdAt, diff, digest } = proposal
  const hunks = splitHunks(diff)
  // those of another diff are other hunks
  const [left, setLeft] = useState<{ digest: string; out: readonly number[] }>({ digest, out: [] })
  const out = left.digest === digest ? left.out : []
  const accepted = hunks.flatMap((_, index) => (out.includes(index) ? [] : [index]))
  const some = out.length > 0 ? { hunks: accepted, digest } : {}
  const tell = (decision: 'accept' | 'reject', note = '') =>
    void decide
      .mutateAsync({
        params: { id, proposalId: proposal.id },
        body: { decision, ...(decision === 'accept' && some), ...(note && { note }) },
      })
      .then(
        () => {
          toast({ title: decision === 'accept' ? `Approved for ${path}` : `Rejected for ${path}` })
          onDecided?.()
          // what went wrong stands beside the buttons
        },
        () => undefined,
      )
  return (
    <article aria-label={`Proposal for ${path}`} className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="flex flex-col gap-1 border-b border-line px-3 py-2">
        {message && <p className="text-dense">{message}</p>}
        <p className="text-small text-muted">
          {author.name} · <Time at={createdAt} />
        </p>
      </div>
      <div className="flex flex-col gap-2 p-2">
        {hunks.length > 1 ? (
          hunks.map((hunk, index) => (
            <FileChange
              key={`${digest} ${index}`}
              path={path}
              change="changed"
              binary={false}
              diff={hunk}
              isBounded
              actions={
                <Switch
                  checked={!out.includes(index)}
                  disabled={!mayWrite.may}
                  onChange={(isIn) =>
                    setLeft({ digest, out: isIn ? out.filter((one) => one !== index) : [...out, index] })
                  }
                >
                  <span className="text-small">
                    Accept change {index + 1} of {hunks.length}
                  </span>
                </Switch>
              }
            />
          ))
        ) : (
          <FileChange
            path={path}
            change="changed"
            binary={false}
            diff={diff}
            isBounded
            whole={{ side: 'before', read: async () => (await readFileText(id, path)).text }}
            actions={
              <Button size="small" look="quiet" onClick={() => onOpen(path)}>
                Open
              </Button>
            }
          />
        )}
      </div>
      <div className="flex flex-col gap-2 border-t border-line px-3 py-2">
        <FormError error={decide.error} />
        <Decision
          right={mayWrite}
          approve={out.length > 0 ? `Approve ${accepted.length} of ${hunks.length} changes` : 'Approve'}
          isWrong={accepted.length === 0 && hunks.length > 0}
          busy={decide.isPending}
          hint="Saved with the proposal."
          onApprove={() => tell('accept')}
          onReject={(note) => tell('reject', note)}
        />
      </div>
    </article>
  )
}
