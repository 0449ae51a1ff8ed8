import type { Run, RunEvent } from '@coherex/contract'
import type { LiveRun } from './live-run.ts'
import { eventsOf } from './run-events.ts'
import { hasEnded } from './run.ts'

export type RunListener = (event: RunEvent, id: number) => void

/** Tells the events after number `after` of a run that is in the store. */
export function replayRun(run: Run, after: number, listener: RunListener): void {
  const events = eventsOf(run)
  for (const [number, event] of events.entries()) if (number > after) listener(event, number)
  // a watcher of a server that was killed may have heard more than was kept, and the end's number may be that of a line for it:
  // the end is told all the same
  if (hasEnded(run) && after >= events.length - 1) listener({ type: 'run-end', run }, after + 1)
}

/** Tells the events after number `after` of a run that this process holds, until it has ended or `signal` aborts. */
export async function followRun(
  live: LiveRun,
  { after, signal }: { after: number; signal: AbortSignal },
  listener: RunListener,
): Promise<void> {
  // it has told already, and would not again: whoever had it would be listened for until the run ends
  if (signal.aborted) return
  const gone = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => gone.resolve(), { once: true })
  const unwatch = live.watch(after, listener)
  await Promise.race([live.ended, gone.promise])
  unwatch()
}
