import type { Agent, AgentProposal } from '@coherex/contract'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { Changes } from '../../change/changes.tsx'
import { useRight } from '../../data/access/rights.ts'
import { useAgentDecide, useAgentProposals } from '../../data/library/agent.ts'
import { Callout } from '../../ui/callout.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/text/time.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { Decision } from '../approvals/decision.tsx'

/** What agents propose for an agent, each with what it would newly allow. */
export function AgentProposals({ agent }: { agent: Agent }) {
  const { data, error, refetch } = useAgentProposals(agent.name)
  if (!data) {
    if (error) return <ErrorState doing="load the proposals" error={error} onRetry={() => void refetch()} />
    return <WaitingLines label="Loading the proposals" className="p-4" lines={['h-4']} />
  }
  return (
    <div className="flex flex-col divide-y divide-line">
      {data.items.map((proposal) => (
        <AgentProposalView key={proposal.version} agent={agent} proposal={proposal} />
      ))}
    </div>
  )
}

interface ProposalProps {
  agent: Agent
  proposal: AgentProposal
  /** After an answer of mine. */
  onDecided?: (() => void) | undefined
}

export function AgentProposalView({ agent, proposal, onDecided }: ProposalProps) {
  const title = useId()
  const { version, createdBy, createdAt, note, newly, diff, threadId } = proposal
  return (
    <section aria-labelledby={title} className="flex flex-col items-start gap-3 p-4">
      <div>
        <h2 id={title} className="text-body font-semibold">
          Proposed by agent {proposal.agent}
        </h2>
        <p className="text-small text-muted">
          Version {version}, for {createdBy.name}, <Time at={createdAt} />
          {note && ` · ${note}`}
        </p>
      </div>
      {newly.length > 0 ? (
        <div className="w-full">
          <h3 className="text-dense font-medium">New permissions of {agent.name}</h3>
          <ul className="mt-1 list-disc pl-5 text-dense wrap-anywhere">
            {newly.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      ) : (
        <p className="text-dense text-muted">It gives {agent.name} no new permissions.</p>
      )}
      <div className="w-full">
        <Changes diff={diff} label={`What version ${version} changes`} />
      </div>
      <Callout tone="warning">
        An agent wrote it. {agent.isBuiltIn ? 'The built-in agent' : `Version ${agent.version}`} stays in use until you
        approve. Hidden characters are shown as codes, such as {'<U+200B>'}.
      </Callout>
      {threadId && (
        <Link to="/threads/$id" params={{ id: threadId }} className="text-dense text-accent-text hover:underline">
          Open conversation
        </Link>
      )}
      <ProposalDecision agent={agent} proposal={proposal} onDecided={onDecided} />
    </section>
  )
}

function ProposalDecision({ agent: { name }, proposal: { version, digest, agent }, onDecided }: ProposalProps) {
  const right = useRight('editor', 'decide on proposals')
  const decide = useAgentDecide()
  const act = (decision: 'approve' | 'reject', note = '') =>
    void decide.mutateAsync({ params: { name, version }, body: { decision, digest, note } }).then(
      () => {
        toast({ title: decision === 'approve' ? `Version ${version} of ${name} is in use` : 'Rejected' })
        onDecided?.()
      },
      (error: Error) => toast({ title: 'Could not save the decision', description: error.message, tone: 'error' }),
    )
  return (
    <Decision
      approve={`Approve version ${version}`}
      right={right}
      busy={decide.isPending}
      hint={`It is kept with the version of ${agent}.`}
      onApprove={() => act('approve')}
      onReject={(note) => act('reject', note)}
    />
  )
}
