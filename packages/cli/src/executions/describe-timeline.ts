import { formatDuration, type Timeline, type TimelineCall, type TimelineStep } from '@coherex/contract'
import { showControls } from '../guest-text.ts'

/** A turn step by step, as lines. What models and people wrote is shown with its control characters made visible. */
export function describeTimeline({ turn, phases, steps, input, output, isDead, retriedBy }: Timeline): string {
  const { startedBy, use, ending } = turn
  const cost = use.costUsd === null ? 'cost unknown' : `$${use.costUsd.toFixed(4)}`
  const lines = [
    `${turn.id}: ${isDead ? 'given up' : turn.status}${ending && ending.kind !== 'answered' ? `, ${ending.message}` : ''}`,
    `Agent     ${turn.agent} version ${turn.agentVersion}, ${turn.model}`,
    `Started   ${turn.createdAt} by ${startedBy.kind === 'person' ? turn.createdBy.name : `${startedBy.kind} ${startedBy.name ?? startedBy.id ?? ''}`}`,
    `Took      ${use.inputTokens} tokens in, ${use.outputTokens} out, ${cost}`,
    `Thread    ${turn.threadId}`,
    ...(turn.retryOf ? [`Retry of  ${turn.retryOf}`] : []),
    ...(turn.continues ? [`Continues ${turn.continues}`] : []),
    ...retriedBy.map((id) => `Retried   ${id}`),
    ...phases
      .filter(({ status, isLost }) => status === 'waiting' || status === 'sleeping' || isLost)
      .map(
        (one) =>
          `Phase     ${one.isLost ? `server ${one.server} stopped responding` : one.status} from ${one.startedAt} to ${one.endedAt ?? 'now'}`,
      ),
    ...steps.flatMap(describeStep),
    '',
    input.trim(),
    '',
    output.trim() || '(no answer)',
  ]
  return showControls(lines.join('\n'))
}

function describeStep({ number, status, durationMs, firstTokenMs, use, retries, calls }: TimelineStep): string[] {
  const figures = [
    ...(durationMs === null ? [status] : [formatDuration(durationMs)]),
    ...(firstTokenMs === null ? [] : [`first words after ${formatDuration(firstTokenMs)}`]),
    ...(use ? [`${use.inputTokens + use.outputTokens} tokens`] : []),
    ...(status === 'failed' ? ['failed'] : []),
  ]
  return [
    `Step ${number}    ${figures.join(', ')}`,
    ...retries.map(({ attempt, reason }) => `          try ${attempt} failed: ${reason}`),
    ...calls.map(describeCall),
  ]
}

function describeCall({ tool, status, durationMs, runs, turns, approvals }: TimelineCall): string {
  const links = [
    ...approvals.map((one) => (one.decidedBy ? `${one.status} by ${one.decidedBy}` : one.status)),
    ...[...runs, ...turns].map(({ id }) => id),
  ]
  const time =
    durationMs === null ? status : `${status === 'failed' ? 'failed after ' : ''}${formatDuration(durationMs)}`
  return `          ${tool}: ${[time, ...links].join(', ')}`
}
