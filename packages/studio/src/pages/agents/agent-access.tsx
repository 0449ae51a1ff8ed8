import type { Agent } from '@coherex/contract'
import { DefinitionAccess } from '../definitions/definition-access.tsx'
import { VariablesPanel } from '../variables/variables-panel.tsx'

/** Who uses and changes the agent, and what its code finds in its environment. */
export function AgentAccess({ agent: { name } }: { agent: Agent }) {
  return (
    <>
      <DefinitionAccess
        rights={[
          { act: 'Seen by', who: 'everyone in the team' },
          { act: 'Used and changed by', who: 'editors, admins and owners' },
          { act: 'Deleted by', who: 'admins and owners' },
        ]}
      />
      <h3 className="border-t border-line px-4 pt-4 text-dense font-medium">Variables</h3>
      <VariablesPanel owner={{ kind: 'agent', name }} />
    </>
  )
}
