import {
  applyChunk,
  beginAnswer,
  followAnswer,
  followTurn,
  insist,
  routes,
  turnIdOf,
  type HeardChunk,
  type LiveAnswer,
  type MessagePart,
  type TurnChunk,
  type TurnRequest,
  type TurnStatus,
} from '@coherex/contract'
import type { Connection } from '../connect.ts'

/** What a turn says, as the terminal shows it. */
export type TurnEvent =
  | { type: 'text'; text: string }
  | { type: 'call'; tool: string; input: unknown }
  | { type: 'failed'; tool: string; message: string }
  | { type: 'retry'; reason: string }
  /** It says nothing more until a person has answered, or its time has come. */
  | { type: 'rest'; status: TurnStatus }
  | { type: 'ending'; message: string }

const lookAgainMs = 500

/** Says something and follows the answer to its end; a line that is lost is taken up where it was. */
export async function* sayAndFollow(
  { open, client }: Connection,
  threadId: string,
  said: TurnRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  let answer = beginAnswer()
  let turnId = ''
  let isGone = false
  let isEndTold = false
  // a server that is started again is back by then
  const options = { signal, patienceMs: 30_000, describeLoss, onGone: () => (isGone = true) }
  const getTurn = () => insist(() => client(routes.threads.getTurn, { params: { id: turnId } }), options)

  const news = followAnswer<HeardChunk>({
    read: (last) => followTurn({ open, routes }, { threadId, said, last: last?.id }, options),
    look: async () => (await getTurn()).status,
    lookAgainMs,
    signal,
  })
  for await (const one of news) {
    if (one.type === 'rest') {
      yield one
      continue
    }
    const { id, chunk } = one.said
    turnId = turnIdOf(id)
    answer = applyChunk(answer, chunk)
    isEndTold ||= chunk.type === 'data-ending'
    const event = toEvent(chunk, answer)
    if (event) yield event
  }
  signal.throwIfAborted()
  const { answerId, ending } = await getTurn()
  if (isGone) {
    const params = { id: threadId, messageId: answerId }
    const { parts } = await insist(() => client(routes.threads.message, { params }), options)
    const [text, heard] = [textOf(parts), textOf(answer.parts)]
    const rest = text.startsWith(heard) ? text.slice(heard.length) : `\n${text}`
    if (rest !== '') yield { type: 'text', text: rest }
  }
  // one that was stopped while it rested says nothing of it itself
  if (ending && ending.kind !== 'answered' && !isEndTold) yield { type: 'ending', message: ending.message }
}

const describeLoss = () => 'The connection to the server was lost; the agent continues there'

function textOf(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? String(part['text']) : [])).join('')
}

function toEvent(chunk: TurnChunk, answer: LiveAnswer): TurnEvent | undefined {
  switch (chunk.type) {
    case 'text-delta':
      return { type: 'text', text: chunk.delta }
    case 'tool-input-available':
      return { type: 'call', tool: chunk.toolName, input: chunk.input }
    case 'tool-input-error':
    case 'tool-output-error':
      return { type: 'failed', tool: toolOf(chunk, answer), message: chunk.errorText }
    case 'tool-output-denied':
      return { type: 'failed', tool: toolOf(chunk, answer), message: 'it was not approved' }
    case 'data-retry':
      return { type: 'retry', reason: chunk.data.reason }
    case 'data-ending':
      return { type: 'ending', message: chunk.data.message }
    default:
      return undefined
  }
}

function toolOf({ toolCallId }: { toolCallId: string }, { parts }: LiveAnswer): string {
  const call = parts.findLast((part) => part['toolCallId'] === toolCallId)
  return call?.type.slice('tool-'.length) ?? 'a tool'
}
