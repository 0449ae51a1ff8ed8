import type { Agent } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { Zap } from 'lucide-react'
import { triggersQuery } from '../../data/trigger.ts'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { TriggerCard } from './trigger-card.tsx'
import { TriggerDeliveries } from './trigger-deliveries.tsx'

const example = `triggers:
  - { schedule: "0 9 * * 1-5", timezone: Europe/Berlin }
  - { webhook: {} }
  - { event: file-changed, paths: ["docs/**"] }`

/** What starts an agent by itself, and what became of it. */
export function TriggersTab({ agent }: { agent: Agent }) {
  const triggers = useQuery(triggersQuery(agent.name))
  if (!triggers.data) {
    if (triggers.error) {
      return <ErrorState doing="load the triggers" error={triggers.error} onRetry={() => void triggers.refetch()} />
    }
    return (
      <Waiting label="Loading">
        <Skeleton className="m-4 h-4" />
      </Waiting>
    )
  }
  const { items } = triggers.data
  if (items.length === 0) {
    return (
      <Empty
        icon={Zap}
        title="Nothing starts it by itself"
        action={
          <div className="max-w-full text-left">
            <Code label="Example of triggers" text={example} />
          </div>
        }
      >
        Add triggers to the definition and save it: a schedule, a webhook or something that happens here.
      </Empty>
    )
  }
  return (
    <div className="flex flex-col">
      <ul className="flex flex-col">
        {items.map((trigger) => (
          <TriggerCard key={trigger.id} trigger={trigger} />
        ))}
      </ul>
      <TriggerDeliveries agentName={agent.name} />
    </div>
  )
}
