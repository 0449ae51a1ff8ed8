import type { ExecutionSummary } from '@coherex/contract'
import { Bot, SquareTerminal } from 'lucide-react'
import { Card } from '../../ui/card.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'
import { HomeLine } from './home-line.tsx'

const shown = 4

/** Turns and runs of the team that have not ended; nothing while all have. */
export function RunningNow({ executions }: { executions: readonly ExecutionSummary[] }) {
  if (executions.length === 0) return null
  return (
    <Card
      flush
      title="Running now"
      actions={
        <span className="text-dense">
          <TextLink to="/executions" search={{ status: 'open' }}>
            Executions
          </TextLink>
        </span>
      }
    >
      <ul>
        {executions.slice(0, shown).map(({ kind, id, status, agent, language, input, createdBy }) => (
          <HomeLine
            key={id}
            link={{ to: '/executions/$id', params: { id } }}
            icon={kind === 'turn' ? <Bot aria-hidden /> : <SquareTerminal aria-hidden />}
            end={
              <span className="flex items-center gap-3">
                <span className="max-sm:hidden">{createdBy.name}</span>
                <StatusPill status={status} />
              </span>
            }
          >
            <span className="font-medium">{kind === 'turn' ? agent : language}</span> {input.trim().split('\n')[0]}
          </HomeLine>
        ))}
      </ul>
    </Card>
  )
}
