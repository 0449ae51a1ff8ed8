import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRight } from '../../../data/access/rights.ts'
import { proposalQuery } from '../../../data/proposal.ts'
import { ProposalCard } from '../../workspaces/panels/proposals-panel.tsx'
import type { ItemProps } from '../inbox-item-view.tsx'
import { Loaded } from './loaded.tsx'

export function FileProposalItem({ item, onDecided }: ItemProps) {
  const id = item.where.workspace?.id ?? ''
  const mayWrite = useRight('editor', 'change files')
  const navigate = useNavigate()
  return (
    <Loaded query={useQuery(proposalQuery(id, item.id))} what="the proposal">
      {(proposal) => (
        <div className="p-4">
          <ProposalCard
            id={id}
            proposal={proposal}
            mayWrite={mayWrite}
            onOpen={(file) => void navigate({ to: '/workspaces/$id', params: { id }, search: { file } })}
            onDecided={onDecided}
          />
        </div>
      )}
    </Loaded>
  )
}
