import { setTimeout as delay } from 'node:timers/promises'
import { CoherexError, readEvents, routes, type Turn, type TurnRequest, type TurnStatus } from '@coherex/contract'
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

interface Chunk {
  type: string
  delta?: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  errorText?: string
  data?: { reason?: string; message?: string; steps?: number }
}

// together half a minute: a server that is started again is back by then
const mostFailures = 9
const longestWaitMs = 5_000
const endStatuses: readonly TurnStatus[] = ['done', 'failed', 'stopped']

/** Says something and follows the answer to its end; a line that is lost is taken up where it was. */
export async function* followTurn(
  connection: Connection,
  threadId: string,
  said: TurnRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  const { open, client } = connection
  const params = { id: threadId }
  const tools = new Map<string, string>()
  const heard: Heard = { text: '', stepsAt: [], last: undefined, isEndTold: false }
  let failures = 0
  let isResting = false

  while (failures < mostFailures) {
    try {
      const response =
        heard.last === undefined
          ? await open(routes.threads.turn, { params, body: said }, { signal })
          : await open(routes.threads.stream, { params }, { signal, headers: { 'last-event-id': heard.last } })
      // nothing is under way any more: it ended while nobody listened
      if (response.status === 204 || !response.body) return yield* tellRest(connection, threadId, heard)
      for await (const { id, data } of readEvents(response.body)) {
        if (data === '[DONE]') {
          const turn = await client(routes.threads.getTurn, { params: { id: turnOf(heard) } })
          const { status } = turn
          if (endStatuses.includes(status)) return yield* tellEnding(turn, heard)
          const rests = status === 'waiting' || status === 'sleeping'
          if (rests && !isResting) yield { type: 'rest', status }
          isResting = rests
          break
        }
        failures = 0
        isResting = false
        heard.last = id ?? heard.last
        const chunk = JSON.parse(data) as Chunk
        hear(heard, chunk)
        const event = toEvent(chunk, tools)
        if (event) yield event
      }
      if (!isResting) failures += 1
    } catch (error) {
      const isPassing = !(error instanceof CoherexError) || error.code === 'unavailable'
      if (signal.aborted || heard.last === undefined || !isPassing) throw error
      failures += 1
    }
    await delay(Math.min(longestWaitMs, 500 * 2 ** failures), undefined, { signal })
  }
  throw new CoherexError('unavailable', 'The line to the server was lost: the agent goes on without it')
}

/** What was told so far of a turn's answer. */
interface Heard {
  text: string
  /** Where the words of each step begin: the last one may be said anew. */
  stepsAt: number[]
  last: string | undefined
  isEndTold: boolean
}

function hear(heard: Heard, { type, delta, data }: Chunk): void {
  if (type === 'start-step') heard.stepsAt.push(heard.text.length)
  if (type === 'data-restart') {
    const [end] = heard.stepsAt.splice(data?.steps ?? 0)
    heard.text = heard.text.slice(0, end)
  }
  if (type === 'text-delta') heard.text += delta ?? ''
  if (type === 'data-ending') heard.isEndTold = true
}

function turnOf({ last = '' }: Heard): string {
  return last.slice(0, last.indexOf(':'))
}

async function* tellRest({ client }: Connection, threadId: string, heard: Heard): AsyncGenerator<TurnEvent> {
  const turn = await client(routes.threads.getTurn, { params: { id: turnOf(heard) } })
  const { parts } = await client(routes.threads.message, { params: { id: threadId, messageId: turn.answerId } })
  const text = parts.flatMap((part) => (part.type === 'text' ? String(part['text']) : [])).join('')
  const rest = text.startsWith(heard.text) ? text.slice(heard.text.length) : `\n${text}`
  if (rest !== '') yield { type: 'text', text: rest }
  yield* tellEnding(turn, heard)
}

/** One that was stopped while it rested says nothing of it itself. */
function* tellEnding({ ending }: Turn, { isEndTold }: Heard): Generator<TurnEvent> {
  if (ending && ending.kind !== 'answered' && !isEndTold) yield { type: 'ending', message: ending.message }
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
    case 'tool-output-denied':
      return { type: 'failed', tool, message: 'it was not approved' }
    case 'data-retry':
      return { type: 'retry', reason: chunk.data?.reason ?? '' }
    case 'data-ending':
      return { type: 'ending', message: chunk.data?.message ?? '' }
    default:
      return undefined
  }
}
