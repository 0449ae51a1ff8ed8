import type { RouteRequest, Tool, ToolReach } from '@coherex/contract'
import type { routes } from 'virtual:contract-routes'
import { useMemberList } from '../../data/access/member.ts'
import { useToolChange } from '../../data/library/tool.ts'
import { Field } from '../../ui/field/field.tsx'
import { Select, type Choice } from '../../ui/field/select.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { DefinitionAccess } from '../definitions/definition-access.tsx'
import { VariablesPanel } from '../variables/variables-panel.tsx'
import { useHoldsTool } from './use-holds-tool.ts'

const reaches: readonly Choice<ToolReach>[] = [
  { value: 'private', label: 'Private', hint: 'Only its owner sees and calls it' },
  { value: 'team', label: 'Team', hint: 'Everyone in the team sees it; editors and agents call it' },
  { value: 'server', label: 'Server', hint: 'Other teams of this server may also install a copy of a version' },
]

type Change = RouteRequest<typeof routes.tools.change>['body']

/** Who answers for the tool, who sees it, who may do what with it, and what its calls find in their environment. */
export function ToolAccess({ tool }: { tool: Tool }) {
  const { name, owner, reach } = tool
  const people = useMemberList().items?.map((member) => member.person) ?? []
  const change = useToolChange()
  const mayChange = useHoldsTool(tool)
  const set = (body: Change, title: string) =>
    change.mutate(
      { params: { name }, body },
      {
        onSuccess: () => toast({ title }),
        onError: (error) => toast({ title: `Could not change ${name}`, description: error.message, tone: 'error' }),
      },
    )
  const known = people.some(({ id }) => id === owner.id) ? people : [owner, ...people]
  return (
    <div className="flex flex-col">
      <div className="grid max-w-160 grid-cols-2 gap-4 p-4 max-md:grid-cols-1">
        <Field label="Owner" hint="Answers for it. Publishing needs one who is in the team.">
          <Select
            value={owner.id}
            disabled={!mayChange}
            choices={known.map(({ id, name: label }) => ({ value: id, label }))}
            onChange={(id) => set({ owner: id }, `${known.find((one) => one.id === id)?.name} owns ${name}`)}
          />
        </Field>
        <Field label="Reach" hint={mayChange ? undefined : 'Its owner, admins and owners of the team change it.'}>
          <Select
            value={reach}
            disabled={!mayChange}
            choices={reaches}
            onChange={(next) => set({ reach: next }, `The reach of ${name} is ${next}`)}
          />
        </Field>
      </div>
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
