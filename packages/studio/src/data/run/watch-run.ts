import {
  CoherexError,
  createOpener,
  readRunEvents,
  type InputRequest,
  type OutputLine,
  type Run,
} from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { bodyChunks } from '../body-chunks.ts'
import { pause } from '../pause.ts'

const open = createOpener({ baseUrl: '', fetch: (url, init) => fetch(url, init) })
const longestWaitMs = 10_000

interface RunListener {
  /** The run as it is now, without its output. */
  onRun: (run: Run) => void
  onOutput: (line: OutputLine) => void
  /** The code waits for a line. */
  onInputRequest: (request: InputRequest) => void
  /** The stream broke off; it is tried again. */
  onLost: () => void
  /** The stream is open: what comes next is heard, and a quiet program may take long to say it. */
  onOpen: () => void
  /** It cannot be watched: it is not there, or not ours to see. */
  onRefused: (error: Error) => void
}

/** Tells a run from its first event to its end, over as many connections as that takes. Returns how to stop. */
export function watchRun(id: string, listener: RunListener): () => void {
  const stopped = new AbortController()
  void follow(id, listener, stopped.signal)
  return () => stopped.abort()
}

async function follow(id: string, listener: RunListener, signal: AbortSignal): Promise<void> {
  let last = -1
  let failures = 0
  while (!signal.aborted) {
    try {
      const headers = { accept: 'text/event-stream', 'last-event-id': String(last) }
      const response = await open(routes.runs.events, { params: { id } }, { headers, signal })
      if (signal.aborted) return
      listener.onOpen()
      for await (const { number, event } of readRunEvents(bodyChunks(response))) {
        if (signal.aborted) return
        last = number
        failures = 0
        if (event.type === 'run-output') listener.onOutput(event.output)
        else if (event.type === 'run-input-request') listener.onInputRequest(event.request)
        else listener.onRun(event.run)
        if (event.type === 'run-end') return
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof CoherexError && error.code !== 'unavailable' && error.code !== 'internal') {
        return listener.onRefused(error)
      }
    }
    failures += 1
    if (failures > 1) listener.onLost()
    await pause(Math.min(longestWaitMs, 250 * 2 ** failures), signal)
  }
}
