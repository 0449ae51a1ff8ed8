import type { Run } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Runs } from '../../runs/index.ts'
import type { ToolVisit } from './shelf.ts'
import { toText } from './tell-run.ts'

/** Says what a run prints, as it prints it. Its answer says it all again, so that nothing is lost where this fails. */
export function sayOutput(runs: Runs, runId: string, visit: ToolVisit): Promise<void> {
  return follow(runs, runId, visit).catch(() => undefined)
}

async function follow(runs: Runs, runId: string, { caller, signal, say }: ToolVisit): Promise<void> {
  const { events } = await runs.watch({ teamId: caller.teamId, id: runId, after: -1, signal })
  for await (const { event } of events) if (event.type === 'run-output') say(toText(event.output))
}

/** A run to its end, which comes at once when the client cancels the call. */
export async function awaitRun(
  runs: Runs,
  caller: TeamCaller,
  { live, visit }: { live: { id: string; ended: Promise<Run> }; visit: ToolVisit },
): Promise<Run> {
  const { signal } = visit
  const stop = () => void runs.cancel(caller, live.id).catch(() => undefined) // it has ended meanwhile
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const said = sayOutput(runs, live.id, visit)
  try {
    const ended = await live.ended
    await said
    return ended
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
