import { createOpener, followRun, type InputRequest, type OutputLine, type Run } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'

const open = createOpener({ baseUrl: '', fetch: (url, init) => fetch(url, init) })

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
  const onLost = (failures: number) => failures > 1 && listener.onLost()
  const onOpen = () => void (signal.aborted || listener.onOpen())
  try {
    for await (const event of followRun({ open, client: call, routes }, id, { signal, onLost, onOpen })) {
      if (signal.aborted) return
      if (event.type === 'run-output') listener.onOutput(event.output)
      else if (event.type === 'run-input-request') listener.onInputRequest(event.request)
      else listener.onRun(event.run)
    }
  } catch (error) {
    if (!signal.aborted) listener.onRefused(error as Error)
  }
}
