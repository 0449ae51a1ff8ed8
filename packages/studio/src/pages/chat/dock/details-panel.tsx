import { formatDuration, type Thread, type Turn } from '@coherex/contract'
import type { ReactNode } from 'react'
import { useModelList } from '../../../data/library/model.ts'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { formatCost, formatTokens, knownCost } from '../../../words/tokens.ts'

interface DetailsPanelProps {
  thread: Thread
  /** Newest first. */
  turns: readonly Turn[]
}

const shownTurns = 20

/** Who answers in a conversation, with which model, and how much it used. */
export function DetailsPanel({ thread, turns }: DetailsPanelProps) {
  const { agent, model, use, reach, createdBy, createdAt, skill } = thread
  const standard = useModelList().data?.defaultModel
  return (
    <div className="flex flex-col gap-5 p-4 text-dense">
      <dl className="grid grid-cols-[104px_1fr] items-baseline gap-x-3 gap-y-2">
        <Fact name="Agent">
          <TextLink to="/agents/$name" params={{ name: agent }}>
            {agent}
          </TextLink>
        </Fact>
        <Fact name="Model">{model ?? turns[0]?.model ?? (standard ? `${standard} (default)` : 'None')}</Fact>
        {skill && (
          <Fact name="Skill">
            {skill.name}, version {skill.version}
          </Fact>
        )}
        <Fact name="Visible to">{reach === 'private' ? 'Only its author' : 'The team'}</Fact>
        <Fact name="Started">
          {createdBy.name}, <Time at={createdAt} />
        </Fact>
        <Fact name="Tokens">
          {formatTokens(use.inputTokens)} in
          {use.cachedInputTokens > 0 && ` (${formatTokens(use.cachedInputTokens)} cached)`},{' '}
          {formatTokens(use.outputTokens)} out
        </Fact>
        <Fact name="Cost">{use.costUsd === null ? 'Unknown: the model has no price' : formatCost(use.costUsd)}</Fact>
        <Fact name="Time">{formatDuration(use.durationMs)}</Fact>
      </dl>
      {turns.length > 0 && (
        <section aria-labelledby="details-turns" className="flex flex-col gap-1.5">
          <h3 id="details-turns" className="font-medium">
            Turns
          </h3>
          <ul className="flex flex-col">
            {turns.slice(0, shownTurns).map((turn) => (
              <li key={turn.id} className="flex flex-wrap items-baseline gap-x-2 border-t border-line py-1.5">
                <TextLink to="/executions/$id" params={{ id: turn.id }}>
                  <Time at={turn.createdAt} />
                </TextLink>
                <span className="text-small text-muted tabular">
                  {[
                    turn.status,
                    turn.steps.length === 1 ? '1 step' : `${turn.steps.length} steps`,
                    `${formatTokens(turn.use.inputTokens + turn.use.outputTokens)} tokens`,
                    ...knownCost(turn.use.costUsd),
                  ].join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere tabular">{children}</dd>
    </>
  )
}
