import type { LiveAnswer, Message, MessagePart } from '@coherex/contract'

/** What is stored, with the answer that is being written as far as it was heard. */
export function withLive(messages: readonly Message[], answer: LiveAnswer | undefined): readonly Message[] {
  if (!answer) return messages
  return messages.map((message) => {
    if (message.id !== answer.id) return message
    const parts = [...message.parts.slice(0, answer.before), ...answer.parts]
    return isBehind(parts, message.parts) ? message : { ...message, parts }
  })
}

/** What is heard again from its beginning has less for a moment than what is stored: words, or what calls gave. */
function isBehind(heard: readonly MessagePart[], stored: readonly MessagePart[]): boolean {
  return (
    heard.length < stored.length ||
    countLetters(heard) < countLetters(stored) ||
    countEndedCalls(heard) < countEndedCalls(stored)
  )
}

function countLetters(parts: readonly MessagePart[]): number {
  return parts.reduce((sum, { text }) => sum + (typeof text === 'string' ? text.length : 0), 0)
}

const ended = ['output-available', 'output-error', 'output-denied']

function countEndedCalls(parts: readonly MessagePart[]): number {
  return parts.filter(({ state, preliminary }) => ended.includes(String(state)) && preliminary !== true).length
}
