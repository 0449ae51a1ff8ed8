import type { Agent } from '@coherex/contract'
import { useAgentChange } from '../../data/library/agent.ts'
import { DefinitionAccess } from '../definitions/definition-access.tsx'
import { HolderFields } from '../definitions/holder-fields.tsx'
import { VariablesPanel } from '../variables/variables-panel.tsx'

const reaches = [
  { value: 'private', label: 'Private', hint: 'Only its owner sees it and chats with it' },
  { value: 'team', label: 'Team', hint: 'Everyone in the team sees it; editors chat with it' },
] as const

/** Who answers for the agent, who sees, uses and changes it, and what its code finds in its environment. */
export function AgentAccess({ agent }: { agent: Agent }) {
  const { name, owner, reach, isBuiltIn } = agent
  const change = useAgentChange()
  const isPrivate = reach === 'private'
  return (
    <>
      {!isBuiltIn && (
        <HolderFields
          held={agent}
          reaches={reaches}
          onChange={(body) => change.mutateAsync({ params: { name }, body })}
          ownerHint="Answers for it, and may delete it."
        />
      )}
      <DefinitionAccess
        rights={[
          { act: 'Seen by', who: isPrivate ? owner.name : 'everyone in the team' },
          { act: 'Used and changed by', who: isPrivate ? owner.name : 'editors, admins and owners' },
          { act: 'Deleted by', who: isPrivate ? owner.name : `${owner.name}, admins and owners of the team` },
        ]}
      />
      <h3 className="border-t border-line px-4 pt-4 text-dense font-medium">Variables</h3>
      <VariablesPanel owner={{ kind: 'agent', name }} />
    </>
  )
}
