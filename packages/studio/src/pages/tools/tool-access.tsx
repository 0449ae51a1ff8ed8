import type { Tool, ToolReach } from '@coherex/contract'
import { useToolChange } from '../../data/library/tool.ts'
import type { Choice } from '../../ui/field/select.tsx'
import { DefinitionAccess } from '../definitions/definition-access.tsx'
import { HolderFields } from '../definitions/holder-fields.tsx'
import { VariablesPanel } from '../variables/variables-panel.tsx'

const reaches: readonly Choice<ToolReach>[] = [
  { value: 'private', label: 'Private', hint: 'Only its owner sees and calls it' },
  { value: 'team', label: 'Team', hint: 'Everyone in the team sees it; editors and agents call it' },
  { value: 'server', label: 'Server', hint: 'Other teams of this server may also install a copy of a version' },
]

/** Who answers for the tool, who sees it, who may do what with it, and what its calls find in their environment. */
export function ToolAccess({ tool }: { tool: Tool }) {
  const { name, owner, reach } = tool
  const change = useToolChange()
  return (
    <div className="flex flex-col">
      <HolderFields
        held={tool}
        reaches={reaches}
        onChange={(body) => change.mutateAsync({ params: { name }, body })}
        ownerHint="Answers for it. Publishing needs one who is in the team."
      />
      <DefinitionAccess
        rights={[
          { act: 'Seen by', who: reach === 'private' ? owner.name : 'everyone in the team' },
          {
            act: 'Called by',
            who: reach === 'private' ? owner.name : 'editors, admins, owners, and agents that list it',
          },
          { act: 'Changed and published by', who: reach === 'private' ? owner.name : 'editors, admins and owners' },
          { act: 'Copied by', who: reach === 'server' ? 'editors of every team of this server' : 'nobody else' },
          { act: 'Deleted by', who: `${owner.name}, admins and owners of the team, while nothing uses it` },
        ]}
      />
      <h3 className="border-t border-line px-4 pt-4 text-dense font-medium">Variables</h3>
      <VariablesPanel owner={{ kind: 'tool', name }} />
    </div>
  )
}
