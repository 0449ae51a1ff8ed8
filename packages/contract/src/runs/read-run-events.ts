import { readEvents } from '../wire/read-events.ts'
import type { InputRequest, OutputLine, Run, RunEvent } from './run.ts'

/** An event and its number; a stream that broke off goes on after the last number that was read. */
export interface NumberedRunEvent {
  number: number
  event: RunEvent
}

/** What a run tells, from the body that `runs.create` or `runs.events` streams. */
export async function* readRunEvents(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<NumberedRunEvent> {
  for await (const { id, type, data } of readEvents(chunks)) {
    const event = toRunEvent(type, data)
    // newer servers may tell more than this client knows
    if (event) yield { number: Number(id), event }
  }
}

function toRunEvent(type: string, data: string): RunEvent | undefined {
  if (type === 'run-output') return { type, output: JSON.parse(data) as OutputLine }
  if (type === 'run-input-request') return { type, request: JSON.parse(data) as InputRequest }
  if (type === 'run-start' || type === 'run-end') return { type, run: JSON.parse(data) as Run }
  return undefined
}
