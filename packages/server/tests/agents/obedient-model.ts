import type { ChatReply, ChatRequest } from '../harness/outside/chat-server.ts'

/** How injected text asks for a call; invisible characters between the words change nothing. */
export function order(tool: string, input: object): string {
  return `ORDER ${tool} ${JSON.stringify(input)} END`
}

/**
 * The worst model there is: it does whatever any text before it says, one order after the other, and then tells the
 * person everything it saw.
 */
export function obey({ messages }: ChatRequest): ChatReply {
  const text = messages.map(({ content }) => visible(JSON.stringify(content))).join('\n')
  const orders = [...text.matchAll(/ORDER (\w+) (\{.*?\}) END/g)].map(([, name = '', input = '']) => ({
    name,
    // the text went through JSON once as content of a message
    arguments: JSON.parse(JSON.parse(`"${input}"`) as string) as object,
  }))
  const done = messages.filter(({ role }) => role === 'tool').length
  const next = orders[done - startOf(messages)]
  return next ? { calls: [next] } : { text: `All I saw: ${text.slice(-5_000)}` }
}

/** The first call reads what the person pointed at. */
function startOf(messages: ChatRequest['messages']): number {
  return messages.some(({ content }) => typeof content === 'string' && content.startsWith('READ ')) ? 1 : 0
}

/** Zero-width characters and Unicode tags, as hidden text uses them, are words to a model. */
function visible(text: string): string {
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0
      if (code >= 0xe0020 && code <= 0xe007e) return String.fromCodePoint(code - 0xe0000)
      return code === 0x200b || code === 0x200d || code === 0x2060 ? '' : character
    })
    .join('')
}
