import {
  convertToModelMessages,
  isToolUIPart,
  type FileUIPart,
  type ModelMessage,
  type ToolSet,
  type UIMessage,
} from 'ai'
import { findOpenCalls } from '../turn/answer.ts'
import { tellFiles } from '../turn/attached-file.ts'
import { splitAtSaid } from '../turn/said.ts'
import type { ToolOutput } from '../turn/tool.ts'
import { mostResultText } from './to-sdk-tools.ts'

export interface StepContext {
  /** The branch, oldest first, with the answer that is being written at the end. */
  messages: readonly UIMessage[]
  tools: ToolSet
  /** How many messages the model sees at the most. */
  windowMessages: number
  contextTokens: number
  takesImages: boolean
}

// rough, and on the safe side for code and other scripts than Latin
const charactersPerToken = 3
// what is left for instructions, tools and the answer
const usableShare = 0.6
const keptResultText = 200

/**
 * What the model reads before its next words: the newest messages within the window. Where they are too long, results
 * of earlier calls shrink to their first words and an id, so that nothing is gone: `read_result` reads them again.
 */
export async function prepareStep(context: StepContext): Promise<{ messages: ModelMessage[]; isCompacted: boolean }> {
  const { messages, tools, windowMessages, contextTokens, takesImages } = context
  const seen = fromUser(messages.flatMap(splitAtSaid).slice(-windowMessages)).map(tellFiles)
  const most = contextTokens * usableShare * charactersPerToken
  const answered = seen.map(withoutOpenCalls)
  const whole = answered.map((message) => withoutFiles(message, ({ url }) => !takesImages || !url.startsWith('data:')))
  const fitted = compact(whole, most)
  return {
    messages: await convertToModelMessages(fitted, { tools, ignoreIncompleteToolCalls: true }),
    isCompacted: fitted !== whole,
  }
}

/** A window that opens with an answer would show a reply to nothing: providers refuse it. */
function fromUser(messages: UIMessage[]): UIMessage[] {
  const first = messages.findIndex(({ role }) => role === 'user')
  return first < 0 ? messages : messages.slice(first)
}

/** Calls of earlier turns that were never answered, whatever a person or an imported file says of them. */
function withoutOpenCalls(message: UIMessage): UIMessage {
  const open = new Set(findOpenCalls(message.parts).map(({ id }) => id))
  if (open.size === 0) return message
  return { ...message, parts: message.parts.filter((part) => !isToolUIPart(part) || !open.has(part.toolCallId)) }
}

/** An address in an old message would be fetched past the guard, or by the provider. */
function withoutFiles(message: UIMessage, isOut: (file: FileUIPart) => boolean): UIMessage {
  const parts = message.parts.map((part) =>
    part.type === 'file' && isOut(part)
      ? { type: 'text' as const, text: `[image ${part.filename ?? ''} left out]` }
      : part,
  )
  return { ...message, parts }
}

function compact(messages: UIMessage[], most: number): UIMessage[] {
  let size = messages.reduce((sum, message) => sum + sizeOf(message), 0)
  if (size <= most) return messages
  const kept = [...messages]
  // oldest first, and the newest message stays as it is
  for (let index = 0; index < kept.length - 1 && size > most; index++) {
    const message = kept[index]
    if (!message) continue
    const small = shrinkResults(message)
    size -= sizeOf(message) - sizeOf(small)
    kept[index] = small
  }
  // still too long: whole exchanges go, from the oldest
  while (kept.length > 1 && size > most) {
    const gone = kept.shift()
    if (gone) size -= sizeOf(gone)
  }
  return fromUser(kept)
}

function shrinkResults(message: UIMessage): UIMessage {
  const parts = message.parts.map((part) => {
    if (!isToolUIPart(part) || part.state !== 'output-available') return part
    const output = part.output as ToolOutput
    if (output.text.length <= keptResultText * 2) return part
    const text = `${output.text.slice(0, keptResultText)}… (shortened; read_result with id "${part.toolCallId}" reads it)`
    return { ...part, output: { text } }
  })
  return { ...message, parts }
}

function sizeOf({ parts }: UIMessage): number {
  return parts.reduce((sum, part) => {
    if (part.type === 'text' || part.type === 'reasoning') return sum + part.text.length
    if (!isToolUIPart(part)) return sum + 1_000
    const input = JSON.stringify(part.input ?? '').length
    const output = part.state === 'output-available' ? (part.output as ToolOutput).text.length : 0
    return sum + input + Math.min(output, mostResultText)
  }, 0)
}
