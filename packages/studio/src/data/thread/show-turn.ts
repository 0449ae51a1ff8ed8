import type { Message, MessagePart, Thread, Turn, TurnRequest } from '@coherex/contract'
import type { QueryClient } from '@tanstack/react-query'
import { threadQuery } from './thread-get.ts'
import { turnsQuery } from './turn-list.ts'

/** Shows a turn that has just begun, with what was said, before its thread is fetched again. */
export function showTurn(queryClient: QueryClient, turn: Turn, said?: TurnRequest): void {
  queryClient.setQueryData(threadQuery(turn.threadId).queryKey, (thread) => thread && withTurn(thread, turn, said))
  queryClient.setQueryData(turnsQuery(turn.threadId).queryKey, (turns) =>
    turns && turns.items.every(({ id }) => id !== turn.id) ? { ...turns, items: [turn, ...turns.items] } : turns,
  )
}

/** A thread as the server will tell it, once that is asked. */
function withTurn(thread: Thread, turn: Turn, said: TurnRequest | undefined): Thread {
  const activity = turn.status === 'queued' ? 'queued' : 'thinking'
  let messages = thread.messages
  if (said && !messages.some(({ id }) => id === turn.questionId)) {
    const parentId = said.parentId === undefined ? (messages.at(-1)?.id ?? null) : said.parentId
    const by = { createdBy: turn.createdBy, turnId: null }
    messages = withBranch(messages, { ...by, id: turn.questionId, parentId, role: 'user', parts: partsOf(said) }, turn)
  }
  if (!messages.some(({ id }) => id === turn.answerId)) {
    const by = { createdBy: { id: `agent:${turn.agent}`, name: turn.agent }, turnId: turn.id }
    const answer = { ...by, id: turn.answerId, parentId: turn.questionId, role: 'assistant' as const, parts: [] }
    messages = withBranch(messages, answer, turn)
  }
  return { ...thread, activity, turnId: turn.id, messages }
}

/** What followed on the same message is another branch from now on. */
function withBranch(
  messages: readonly Message[],
  message: Omit<Message, 'createdAt' | 'siblings'>,
  { createdAt }: Turn,
): Message[] {
  const { id, parentId } = message
  const end = messages.findIndex((one) => one.id === parentId) + 1
  const siblings = [...(messages[end]?.siblings ?? []), id]
  return [...messages.slice(0, end), { ...message, createdAt, siblings }]
}

function partsOf({ text, files = [] }: TurnRequest): MessagePart[] {
  const images = files.map(({ name, mediaType, base64 }) => ({
    type: 'file',
    filename: name,
    mediaType,
    url: `data:${mediaType};base64,${base64}`,
  }))
  return [...images, { type: 'text', text }]
}
