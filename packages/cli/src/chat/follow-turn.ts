import { CoherexError, readEvents, routes, type TurnRequest } from '@coherex/contract'
import type { Connection } from '../connect.ts'

/** What a turn says, as the terminal shows it. */
export type TurnEvent =
  | { type: 'text'; text: string }
  | { type: 'call'; tool: string; input: unknown }
  | { type: 'failed'; tool: string; message: string }
  | { type: 'retry'; reason: string }
  | { type: 'ending'; message: string }

interface Chunk {
  type: string
  delta?: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  errorText?: string
  data?: { reason?: string; message?: string }
}

const tries = 5

/** Says something and follows the answer to its end; a line that is lost is taken up where it was. */
export async function* followTurn(
  { open }: Connection,
  threadId: string,
  said: TurnRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  const params = { id: threadId }
  const tools = new Map<string, string>()
  let last: string | undefined
  for (let attempt = 0; attempt < tries; attempt++) {
    const response =
      last === undefined
        ? await open(routes.threads.turn, { params, body: said }, { signal })
        : await open(routes.threads.stream, { params }, { signal, headers: { 'last-event-id': last } })
    // nothing is under way any more: it ended while the line was lost
    if (response.status === 204 || !response.body) return
    try {
      for await (const { id, data } of readEvents(response.body)) {
        if (data === '[DONE]') return
        last = id ?? last
        const event = toEvent(JSON.parse(data) as Chunk, tools)
        if (event) yield event
      }
    } catch (error) {
      if (signal.aborted || last === undefined) throw error
    }
  }
  throw new CoherexError('unavailable', 'The line to the server was lost: the agent goes on without it')
}

function toEvent(chunk: Chunk, tools: Map<string, string>): TurnEvent | undefined {
  const { toolCallId = '', toolName } = chunk
  if (toolName) tools.set(toolCallId, toolName)
  const tool = tools.get(toolCallId) ?? 'a tool'
  switch (chunk.type) {
    case 'text-delta':
      return { type: 'text', text: chunk.delta ?? '' }
    case 'tool-input-available':
      return { type: 'call', tool, input: chunk.input }
    case 'tool-input-error':
    case 'tool-output-error':
      return { type: 'failed', tool, message: chunk.errorText ?? '' }
    case 'data-retry':
      return { type: 'retry', reason: chunk.data?.reason ?? '' }
    case 'data-ending':
      return { type: 'ending', message: chunk.data?.message ?? '' }
    default:
      return undefined
  }
}
