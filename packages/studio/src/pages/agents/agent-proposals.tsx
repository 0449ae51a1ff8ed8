import type { Agent, AgentProposal } from '@coherex/contract'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useAgentDecide, useAgentProposals } from '../../data/agent.ts'
import { useRight } from '../../data/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { DiffView } from '../../ui/diff-view.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Reason } from '../../ui/reason.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'

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
        <Proposal key={proposal.version} agent={agent} proposal={proposal} />
      ))}
    </div>
  )
}

interface ProposalProps {
  agent: Agent
  proposal: AgentProposal
}

function Proposal({ agent, proposal }: ProposalProps) {
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
          <h3 className="text-dense font-medium">What {agent.name} may newly do</h3>
          <ul className="mt-1 list-disc pl-5 text-dense wrap-anywhere">
            {newly.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      ) : (
        <p className="text-dense text-muted">It allows {agent.name} nothing new.</p>
      )}
      <div className="w-full">
        <DiffView diff={diff} label={`What version ${version} changes`} />
      </div>
      <Callout tone="warning">
        An agent wrote it. {agent.isBuiltIn ? 'The built-in agent' : `Version ${agent.version}`} stays in use until you
        accept. Hidden characters stand as their numbers, such as {'<U+200B>'}.
      </Callout>
      {threadId && (
        <Link to="/threads/$id" params={{ id: threadId }} className="text-dense text-accent-text hover:underline">
          The conversation it comes from
        </Link>
      )}
      <Decision agent={agent} proposal={proposal} />
    </section>
  )
}

function Decision({ agent: { name }, proposal: { version, digest } }: ProposalProps) {
  const right = useRight('editor', 'decide on proposals')
  const decide = useAgentDecide()
  const act = (decision: 'approve' | 'reject') =>
    decide.mutate(
      { params: { name, version }, body: { decision, digest } },
      {
        onSuccess: () =>
          toast({ title: decision === 'approve' ? `Version ${version} of ${name} is in use` : 'It is rejected' }),
        onError: (error) => toast({ title: 'Nothing was decided', description: error.message, tone: 'error' }),
      },
    )
  return (
    <Reason why={right.why}>
      <div className="flex gap-2">
        <Button look="primary" disabled={!right.may} busy={decide.isPending} onClick={() => act('approve')}>
          Accept version {version}
        </Button>
        <Button disabled={!right.may} busy={decide.isPending} onClick={() => act('reject')}>
          Reject
        </Button>
      </div>
    </Reason>
  )
}
