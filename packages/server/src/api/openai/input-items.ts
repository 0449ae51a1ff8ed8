import type { ResponseItem } from '@coherex/contract'
import { refuseField, toConversation, type ChatMessage, type Conversation } from './conversation.ts'

type Message = Extract<ResponseItem, { type: 'message' }>
type Part = Exclude<Message['content'], string>[number]
type ChatPart = Exclude<NonNullable<ChatMessage['content']>, string>[number]

/**
 * Items as the same conversation that Chat Completions would bring: calls that follow each other are one message. Thoughts
 * of other models are passed over. `read` finds the answer that a reference names.
 */
export async function readItems(
  items: readonly ResponseItem[],
  read: (id: string, field: string) => Promise<string>,
): Promise<Conversation> {
  const messages: ChatMessage[] = []
  /** Of each message, the index of its item. */
  const places: number[] = []
  for (const [index, item] of items.entries()) {
    if (item.type === 'reasoning') continue
    const last = messages.at(-1)
    if (item.type === 'function_call' && last?.role === 'assistant' && last.tool_calls) {
      last.tool_calls.push(toCall(item))
      continue
    }
    messages.push(item.type === 'item_reference' ? await follow(item.id, index) : toMessage(item, index))
    places.push(index)
  }
  return toConversation(messages, new Date(), (index) => `input.${places[index] ?? 0}`)

  async function follow(id: string, index: number): Promise<ChatMessage> {
    return { role: 'assistant', content: await read(id, `input.${index}.id`) }
  }
}

function toMessage(item: Exclude<ResponseItem, { type: 'item_reference' | 'reasoning' }>, index: number): ChatMessage {
  switch (item.type) {
    case 'function_call':
      return { role: 'assistant', content: null, tool_calls: [toCall(item)] }
    case 'function_call_output': {
      const { call_id, output } = item
      const content = typeof output === 'string' ? output : output.map(({ text }) => text).join('\n')
      return { role: 'tool', tool_call_id: call_id, content }
    }
    case 'message': {
      const { role, content } = item
      if (typeof content === 'string') return { role, content }
      return { role, content: content.map((part, at) => toPart(part, `input.${index}.content.${at}`)) }
    }
  }
}

function toCall({ call_id, name, arguments: text }: Extract<ResponseItem, { type: 'function_call' }>) {
  return { id: call_id, type: 'function' as const, function: { name, arguments: text } }
}

function toPart(part: Part, field: string): ChatPart {
  switch (part.type) {
    case 'refusal':
      return { type: 'refusal', refusal: part.refusal }
    case 'input_image':
      if (!part.image_url) throw refuseField(field, 'image_url must be a data URL of a PNG, JPEG, GIF or WebP image')
      return { type: 'image_url', image_url: { url: part.image_url } }
    default:
      return { type: 'text', text: part.text }
  }
}
