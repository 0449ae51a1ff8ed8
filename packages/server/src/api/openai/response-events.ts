import type { ModelResponse, TurnChunk } from '@coherex/contract'
import { deltaOf } from './answers.ts'
import { messageOf, textPart } from './model-response.ts'

export interface ResponseEvent extends Record<string, unknown> {
  type: string
}

interface ToldResponse {
  turnId: string
  /** As it is before its first word. */
  begun: ModelResponse
  chunks: AsyncIterable<TurnChunk>
  /** The response once nothing more is said, with the text that was told. */
  end(text: string): Promise<ModelResponse>
}

/** A turn in the events of Responses. The same chunks make the same events, so that whoever comes back counts on. */
export async function* tellResponse({ turnId, begun, chunks, end }: ToldResponse): AsyncGenerator<ResponseEvent> {
  yield { type: 'response.created', response: begun }
  yield { type: 'response.in_progress', response: begun }
  const { id: item_id } = messageOf(turnId, '', 'in_progress')
  const item = { output_index: 0 }
  const part = { item_id, output_index: 0, content_index: 0 }
  const begin: ResponseEvent[] = [
    { type: 'response.output_item.added', ...item, item: { ...messageOf(turnId, '', 'in_progress'), content: [] } },
    { type: 'response.content_part.added', ...part, part: textPart('') },
  ]
  let text = ''
  for await (const chunk of chunks) {
    const delta = deltaOf(chunk, text !== '')
    if (delta === '') continue
    if (text === '') yield* begin
    text += delta
    yield { type: 'response.output_text.delta', ...part, delta, logprobs: [] }
  }
  const ended = await end(text)
  const [message] = ended.output
  if (message) {
    // one that said nothing at all
    if (text === '') yield* begin
    yield { type: 'response.output_text.done', ...part, text, logprobs: [] }
    yield { type: 'response.content_part.done', ...part, part: textPart(text) }
    yield { type: 'response.output_item.done', ...item, item: message }
  }
  yield { type: `response.${closingOf(ended)}`, response: ended }
}

/** There is no event for what was cancelled: it is incomplete, and its status says why. */
function closingOf({ status }: ModelResponse): string {
  return status === 'completed' || status === 'failed' ? status : 'incomplete'
}

export function isClosing({ type }: ResponseEvent): boolean {
  return /^response\.(?:completed|failed|incomplete)$/.test(type)
}
