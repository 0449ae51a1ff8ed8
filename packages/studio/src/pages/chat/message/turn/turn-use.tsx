import { formatDuration, type Turn } from '@coherex/contract'
import { Link } from '@tanstack/react-router'
import { addUse, formatTokens, knownCost } from '../../../../words/tokens.ts'

/** What an answer took; unfolded, step by step. */
export function TurnUse({ turns }: { turns: readonly Turn[] }) {
  const use = addUse(turns.map((turn) => turn.use))
  const steps = turns.toReversed().flatMap((turn) => turn.steps)
  const tookMs = turns.reduce((sum, turn) => sum + spanOf(turn), 0)
  return (
    <details className="min-w-0 flex-1 text-small text-muted tabular">
      <summary className="flex h-7 w-fit cursor-pointer items-center rounded-sm px-1.5 hover:text-text">
        {[
          `${formatTokens(use.inputTokens + use.outputTokens)} tokens`,
          ...knownCost(use.costUsd),
          formatDuration(tookMs),
        ].join(' · ')}
      </summary>
      <ol className="mt-1 mb-2 flex flex-col gap-1 pl-1.5">
        {steps.map((step, index) => (
          <li key={index}>
            Step {index + 1}: {step.model}, {formatTokens(step.use.inputTokens)} in
            {step.use.cachedInputTokens > 0 && ` (${formatTokens(step.use.cachedInputTokens)} cached)`},{' '}
            {[
              `${formatTokens(step.use.outputTokens)} out`,
              ...knownCost(step.use.costUsd),
              formatDuration(step.durationMs),
            ].join(', ')}
          </li>
        ))}
        {use.costUsd === null && <li>The price of the model is unknown.</li>}
      </ol>
      {turns[0] && (
        <Link to="/executions/$id" params={{ id: turns[0].id }} className="ml-1.5 underline hover:text-text">
          Timeline
        </Link>
      )}
    </details>
  )
}

function spanOf({ startedAt, endedAt }: Turn): number {
  return startedAt && endedAt ? new Date(endedAt).getTime() - new Date(startedAt).getTime() : 0
}
