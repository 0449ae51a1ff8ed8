import { useAgentList } from '../../data/library/agent.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'

/** Agents that may ask an agent, or load a skill, with what else is known of its use. */
export function UsedBy({ what, facts = [] }: { what: `${'agent' | 'skill'}:${string}`; facts?: readonly string[] }) {
  const agents = useAgentList({ uses: what })
  const isSkill = what.startsWith('skill:')
  if (!agents.items) {
    if (agents.error) return <ErrorState doing="load the agents that use it" error={agents.error} />
    return <WaitingLines label="Loading" className="p-4" lines={['h-4']} />
  }
  return (
    <div className="flex flex-col gap-3 p-4 text-dense">
      {facts.map((fact) => (
        <p key={fact}>{fact}</p>
      ))}
      <h3 className="font-medium">{isSkill ? 'Agents that may load it' : 'Agents that may ask it'}</h3>
      {agents.items.length === 0 && <p className="text-muted">None</p>}
      <ul className="flex flex-col gap-2">
        {agents.items.map(({ name, description }) => (
          <li key={name} className="min-w-0">
            <TextLink to="/agents/$name" params={{ name }}>
              {name}
            </TextLink>{' '}
            <span className="text-muted">{description}</span>
          </li>
        ))}
      </ul>
      <LoadMore pages={agents} />
    </div>
  )
}
