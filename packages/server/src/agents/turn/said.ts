import { saidData, type TurnChunk } from '@coherex/contract'
import type { UIMessage } from 'ai'

/** What a person said into a turn: a chunk of its stream, and as such a part of its answer. */
export type SaidPart = Extract<TurnChunk, { type: 'data-said' }>

const type = 'data-said' satisfies SaidPart['type']

/** An answer as a model reads it: with what people said into it as messages of theirs. */
export function splitAtSaid(message: UIMessage): UIMessage[] {
  if (message.role !== 'assistant' || !message.parts.some((part) => part.type === type)) return [message]
  const messages: UIMessage[] = []
  let parts: UIMessage['parts'] = []
  const close = () => {
    if (parts.some((part) => part.type !== 'step-start')) messages.push({ ...message, parts })
    parts = []
  }
  for (const part of message.parts) {
    if (part.type !== type) {
      parts.push(part)
      continue
    }
    close()
    const said = saidBetween(part)
    if (said.length > 0) messages.push({ ...message, role: 'user', parts: said })
  }
  close()
  return messages
}

/** The parts of what a person said into an answer; of any other part, itself. */
export function saidBetween(part: UIMessage['parts'][number]): UIMessage['parts'] {
  if (part.type !== type) return [part]
  // what comes from an imported file may have any form
  const said = saidData.safeParse(part.data)
  return said.success ? (said.data.parts as UIMessage['parts']) : []
}

/** What was said after the last step of an answer. */
export function findLastSaid(parts: UIMessage['parts']): SaidPart[] {
  const last = parts.findLastIndex((part) => part.type !== type)
  return parts.slice(last + 1) as unknown as SaidPart[]
}
