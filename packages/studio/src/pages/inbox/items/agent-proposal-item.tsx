import { useQuery } from '@tanstack/react-query'
import { agentQuery, useAgentProposals } from '../../../data/library/agent.ts'
import { AgentProposalView } from '../../agents/agent-proposals.tsx'
import type { ItemProps } from '../inbox-item-view.tsx'
import { Loaded } from './loaded.tsx'

export function AgentProposalItem({ item: { where }, onDecided }: ItemProps) {
  const name = where.agent ?? ''
  const proposals = useAgentProposals(name)
  const agent = useQuery(agentQuery(name))
  return (
    <Loaded query={agent} what="the agent">
      {(known) => (
        <Loaded query={proposals} what="the proposal">
          {({ items }) => {
            const proposal = items.find(({ version }) => version === where.version)
            return proposal && <AgentProposalView agent={known} proposal={proposal} onDecided={onDecided} />
          }}
        </Loaded>
      )}
    </Loaded>
  )
}
