import type { MessagePart } from '../agents/thread.ts'
import type { TurnChunk } from '../agents/turn-chunk.ts'

/** The message a turn is writing, as far as it was heard. */
export interface LiveAnswer {
  /** Of the message; undefined until the stream has begun. */
  id: string | undefined
  /** What the turn has said. */
  parts: readonly MessagePart[]
  /** How many parts its message had before the turn. */
  before: number
  /** A provider that failed is tried again: why, and how often so far. */
  retry: { attempt: number; reason: string } | undefined
}

/** The answer of a turn of which nothing was heard yet. */
export function beginAnswer(): LiveAnswer {
  return { id: undefined, retry: undefined, parts: [], before: 0 }
}

/** The answer with one more chunk. What is unknown changes nothing: newer servers may say more. */
export function applyChunk(answer: LiveAnswer, chunk: TurnChunk): LiveAnswer {
  switch (chunk.type) {
    case 'start':
      // a server that takes the turn up says it again, when some of its own steps are part of the message
      return answer.id === undefined
        ? { ...answer, id: chunk.messageId, before: chunk.messageMetadata.before ?? 0 }
        : answer
    case 'data-retry':
      return { ...answer, retry: chunk.data }
    case 'data-restart':
      return { ...answer, parts: firstSteps(answer, chunk.data.steps) }
    case 'start-step':
      return add(answer, { type: 'step-start' })
    case 'text-start':
    case 'reasoning-start':
      return add(answer, { type: kindOf(chunk), text: '', streamId: chunk.id, state: 'streaming' })
    case 'text-delta':
    case 'reasoning-delta':
      return changeLast(answer, isOpen(chunk), (part) => ({
        ...part,
        text: String(part['text']) + chunk.delta,
      }))
    case 'text-end':
    case 'reasoning-end':
      return changeLast(answer, isOpen(chunk), (part) => ({ ...part, state: 'done' }))
    case 'data-said':
      // a server that takes the turn up may say it once more
      return answer.parts.some(({ id }) => id === chunk.id) ? answer : add(answer, chunk)
    case 'file':
      return add(answer, chunk)
    default:
      return isOfCall(chunk) ? applyToolChunk(answer, chunk) : answer
  }
}

type ToolChunk = Extract<TurnChunk, { toolCallId: string }>

function isOfCall(chunk: TurnChunk): chunk is ToolChunk {
  return 'toolCallId' in chunk
}

function applyToolChunk(answer: LiveAnswer, chunk: ToolChunk): LiveAnswer {
  const { toolCallId } = chunk
  const isCall = (part: MessagePart) => part['toolCallId'] === toolCallId
  const change = (more: object) => {
    if (answer.parts.some(isCall)) return changeLast(answer, isCall, (part) => ({ ...part, ...more }))
    return add(answer, { type: `tool-${String(chunk['toolName'])}`, toolCallId, ...more })
  }
  switch (chunk.type) {
    case 'tool-input-start':
      return change({ state: 'input-streaming', inputText: '' })
    case 'tool-input-delta':
      return changeLast(answer, isCall, (part) => ({
        ...part,
        inputText: `${String(part['inputText'] ?? '')}${chunk.inputTextDelta}`,
      }))
    case 'tool-input-available':
      return change({ state: 'input-available', input: chunk.input })
    case 'tool-input-error':
      return change({ state: 'output-error', input: chunk.input, errorText: chunk.errorText })
    case 'tool-output-available':
      return change({ state: 'output-available', output: chunk.output, preliminary: chunk.preliminary === true })
    case 'tool-approval-request':
      return change({ state: 'approval-requested' })
    case 'tool-output-denied':
      return change({ state: 'output-denied' })
    case 'tool-output-error':
      return change({ state: 'output-error', errorText: chunk.errorText })
    default:
      return answer
  }
}

/** What the turn said with its first steps: the one after them broke off and is said anew. */
function firstSteps({ parts }: LiveAnswer, count: number): readonly MessagePart[] {
  const starts = parts.flatMap(({ type }, index) => (type === 'step-start' ? [index] : []))
  return parts.slice(0, starts[count])
}

/** Words came: what was tried again has worked. */
function add(answer: LiveAnswer, part: MessagePart): LiveAnswer {
  return { ...answer, retry: undefined, parts: [...answer.parts, part] }
}

function changeLast(
  answer: LiveAnswer,
  which: (part: MessagePart) => boolean,
  change: (part: MessagePart) => MessagePart,
): LiveAnswer {
  const index = answer.parts.findLastIndex(which)
  const part = answer.parts[index]
  return part ? { ...answer, parts: answer.parts.with(index, change(part)) } : answer
}

function isOpen(chunk: { type: string; id: string }): (part: MessagePart) => boolean {
  const kind = kindOf(chunk)
  return (part) => part.type === kind && part['streamId'] === chunk.id && part['state'] === 'streaming'
}

function kindOf({ type }: { type: string }): string {
  return type.slice(0, type.indexOf('-'))
}
