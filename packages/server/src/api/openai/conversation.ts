import { CoherexError, type ChatCompletionRequest, type ThreadFile, type TurnRequest } from '@coherex/contract'

type ChatMessage = ChatCompletionRequest['messages'][number]

/** A caller's messages as a thread: what came before, and what is said now. */
export interface Conversation {
  before: ThreadFile['messages']
  text: string
  files: NonNullable<TurnRequest['files']>
}

/** The last message is what is said. A system message is the caller's word, no more: it stands before the rest as theirs. */
export function toConversation(messages: ChatMessage[], at: Date): Conversation {
  const last = messages.at(-1)
  if (!last || last.role !== 'user') throw new CoherexError('invalid_input', 'messages: the last must be of the user')
  const createdAt = at.toISOString()
  const before = messages.slice(0, -1).map((message, index) => ({
    id: String(index),
    parentId: index === 0 ? null : String(index - 1),
    role: message.role === 'assistant' ? ('assistant' as const) : ('user' as const),
    parts: [...imagesOf(message).map(toFilePart), { type: 'text', text: textOf(message) }],
    createdAt,
    createdBy: message.role,
  }))
  const said = { text: textOf(last), files: imagesOf(last) }
  if (said.text === '' && said.files.length === 0) {
    throw new CoherexError('invalid_input', 'messages: the last says nothing')
  }
  return { before, ...said }
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
}

function toFilePart({ name, mediaType, base64 }: Conversation['files'][number]) {
  return { type: 'file', filename: name, mediaType, url: `data:${mediaType};base64,${base64}` }
}

function imagesOf({ content }: ChatMessage): Conversation['files'] {
  if (typeof content === 'string') return []
  return content.flatMap((part, index) => {
    if (part.type !== 'image_url') return []
    const match = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=]+)$/.exec(part.image_url.url)
    // an address would make the server fetch what a caller names
    if (!match)
      throw new CoherexError('invalid_input', 'image_url: must be a data URL of a PNG, JPEG, GIF or WebP image')
    return [{ name: `image-${index}`, mediaType: match[1] ?? '', base64: match[2] ?? '' }]
  })
}
