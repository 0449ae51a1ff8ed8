import type { Run, RunEvent } from '@coherex/contract'
import { hasEnded } from './run.ts'

/** The events of a run so far. Their numbers are the same whether it is live or read from the store. */
export function eventsOf(run: Run): RunEvent[] {
  const events: RunEvent[] = [{ type: 'run-start', run: { ...run, output: [] } }]
  for (const output of run.output) events.push({ type: 'run-output', output })
  if (hasEnded(run)) events.push({ type: 'run-end', run })
  return events
}
