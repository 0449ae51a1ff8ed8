import { CoherexError, readEvents, type Run } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { open } from '../query/call.ts'

export interface ToolAnswer {
  output?: unknown
  run: Run
}

interface ToolCall {
  name: string
  version: number
  input: unknown
}

/** Calls a version of a tool. Its run is told once it began, so that its output can be followed. */
export async function callTool(
  { name, version, input }: ToolCall,
  { signal, onStart }: { signal: AbortSignal; onStart: (runId: string) => void },
): Promise<ToolAnswer> {
  const body = { input: input as never, version }
  const headers = { accept: 'text/event-stream' }
  const response = await open(routes.tools.call, { params: { name }, body }, { signal, headers })
  for await (const { type, data } of readEvents(chunksOf(response))) {
    const told = JSON.parse(data) as never
    if (type === 'call-start') onStart((told as { runId: string }).runId)
    if (type === 'call-end') return told
    if (type === 'call-error') throw toError(told)
  }
  throw new CoherexError('unavailable', 'The connection broke before the call ended: its run has the rest')
}

function toError({ code, message, details }: Pick<CoherexError, 'code' | 'message' | 'details'>): CoherexError {
  return new CoherexError(code, message, details === undefined ? {} : { details })
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) yield part.value
}
