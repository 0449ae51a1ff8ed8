import type { InputRequest, Run, RunEvent } from '@coherex/contract'
import type { LiveRun } from './live-run.ts'
import { hasEnded } from './run.ts'

/** An event with its number, which is the same whether the run is live or read from the store. */
export interface NumberedEvent {
  event: RunEvent
  number: number
}

/** The events after number `after` of a run that is in the store. Each is made when it is asked for. */
export function* replayRun(run: Run, after: number): Generator<NumberedEvent> {
  if (after < 0) yield { event: { type: 'run-start', run: { ...run, output: [] } }, number: 0 }
  let told = Math.max(after, 0)
  for (; told < run.output.length; told++) yield { event: toOutput(run, told), number: told + 1 }
  // a watcher of a server that was killed may have heard more than was kept, and the end's number may be that of a line for it:
  // the end is told all the same
  if (hasEnded(run)) yield { event: { type: 'run-end', run }, number: told + 1 }
}

/**
 * The events after number `after` of a run that this process holds, until it has ended or `signal` aborts. They are taken from
 * the run as fast as the watcher reads: one that does not read holds nothing but its place.
 */
export async function* followRun(
  live: LiveRun,
  { after, signal }: { after: number; signal: AbortSignal },
): AsyncGenerator<NumberedEvent> {
  let news = Promise.withResolvers<void>()
  const tell = () => news.resolve()
  signal.addEventListener('abort', tell, { once: true })
  const unwatch = live.watch(tell)
  let told = after
  let asked: InputRequest | undefined
  try {
    while (!signal.aborted) {
      news = Promise.withResolvers<void>()
      const { run } = live
      if (hasEnded(run)) return yield* replayRun(run, told)
      if (told < 0) yield { event: { type: 'run-start', run: { ...run, output: [] } }, number: 0 }
      for (told = Math.max(told, 0); told < run.output.length; told++)
        yield { event: toOutput(run, told), number: told + 1 }
      const { inputRequest } = run
      if (inputRequest && inputRequest !== asked)
        yield { event: { type: 'run-input-request', request: inputRequest }, number: told }
      asked = inputRequest
      await news.promise
    }
  } finally {
    unwatch()
    signal.removeEventListener('abort', tell)
  }
}

function toOutput({ output }: Run, at: number): RunEvent {
  return { type: 'run-output', output: output[at] as Run['output'][number] }
}
