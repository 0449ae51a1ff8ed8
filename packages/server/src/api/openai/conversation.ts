import { CoherexError, type ChatCompletionRequest, type ThreadFile, type TurnRequest } from '@coherex/contract'

export type ChatMessage = ChatCompletionRequest['messages'][number]
type Assistant = Extract<ChatMessage, { role: 'assistant' }>
type Kept = ThreadFile['messages'][number]
type ToolPart = Kept['parts'][number] & { toolCallId: string }

/** A caller's messages as a thread: what came before, and what is said now. */
export interface Conversation {
  before: Kept[]
  text: string
  files: NonNullable<TurnRequest['files']>
}

/**
 * The last message is what is said. A system message is the caller's word, no more: it stands before the rest as theirs.
 * Calls of tools that the caller made elsewhere are calls of the message that asked for them, with their results.
 */
export function toConversation(
  messages: ChatMessage[],
  at: Date,
  /** What the caller calls the message at an index. */
  nameOf = (index: number) => `messages.${index}`,
): Conversation {
  const refuse = (index: number, message: string) => refuseField(nameOf(index), message)
  const last = messages.at(-1)
  const lastAt = messages.length - 1
  if (!last || last.role === 'assistant' || last.role === 'tool') {
    throw refuse(lastAt, 'the last must be of the user: an agent answers what is said to it')
  }
  const createdAt = at.toISOString()
  const before: Kept[] = []
  let open = new Map<string, ToolPart>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const part = open.get(message.tool_call_id)
      if (!part) throw refuse(index, `no message before it has an open call "${message.tool_call_id}"`)
      Object.assign(part, { state: 'output-available', output: { text: textOf(message) } })
      open.delete(message.tool_call_id)
      continue
    }
    const [unanswered] = open.keys()
    if (unanswered !== undefined) throw refuse(index, `the call "${unanswered}" before it has no tool message`)
    if (index === lastAt) break
    const calls = message.role === 'assistant' ? callsOf(message, nameOf(index)) : []
    open = new Map(calls.map((part) => [part.toolCallId, part]))
    if (open.size < calls.length) throw refuse(index, 'two of its calls have the same id')
    const text = textOf(message)
    before.push({
      id: String(index),
      parentId: before.at(-1)?.id ?? null,
      role: message.role === 'assistant' ? 'assistant' : 'user',
      parts: [
        ...imagesOf(message, nameOf(index)).map(toFilePart),
        ...(text !== '' || calls.length === 0 ? [{ type: 'text', text }] : []),
        ...calls,
      ],
      createdAt,
      createdBy: message.role,
    })
  }
  const said = { text: textOf(last), files: imagesOf(last, nameOf(lastAt)) }
  if (said.text === '' && said.files.length === 0) throw refuse(lastAt, 'the last says nothing')
  return { before, ...said }
}

function callsOf({ tool_calls }: Assistant, field: string): ToolPart[] {
  return (tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({
    type: 'dynamic-tool',
    toolName: name,
    toolCallId: id,
    state: 'input-available',
    input: parseArguments(text, field),
  }))
}

function parseArguments(text: string, field: string): unknown {
  try {
    return text === '' ? {} : (JSON.parse(text) as unknown)
  } catch {
    throw refuseField(field, 'the arguments of a call must be JSON')
  }
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content
  return (content ?? [])
    .flatMap((part) => {
      if (part.type === 'image_url') return []
      return part.type === 'text' ? part.text : part.refusal
    })
    .join('\n')
}

function toFilePart({ name, mediaType, base64 }: Conversation['files'][number]) {
  return { type: 'file', filename: name, mediaType, url: `data:${mediaType};base64,${base64}` }
}

function imagesOf({ content }: ChatMessage, field: string): Conversation['files'] {
  if (typeof content === 'string') return []
  return (content ?? []).flatMap((part, at) => {
    if (part.type !== 'image_url') return []
    const match = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=]+)$/.exec(part.image_url.url)
    // an address would make the server fetch what a caller names
    if (!match) throw refuseField(field, 'image_url must be a data URL of a PNG, JPEG, GIF or WebP image')
    return [{ name: `image-${at}`, mediaType: match[1] ?? '', base64: match[2] ?? '' }]
  })
}

export function refuseField(field: string, message: string): CoherexError {
  return new CoherexError('invalid_input', `${field}: ${message}`, { details: [{ field, message }] })
}
