import { isTurnOver, type KeptRequest, type ModelResponse, type ResponseMessage, type Turn } from '@coherex/contract'
import { isFailure } from '../../agents/index.ts'

/** A response is a turn: their ids differ in the prefix alone. */
function responseIdOf(turnId: string): string {
  return turnId.replace(/^turn_/, 'resp_')
}

/** The turn of a response, or of the message that is its only item; undefined where the id is of neither. */
export function turnIdOf(id: string): string | undefined {
  const [, own] = /^(?:resp|msg)_([0-9a-z]{20,32})$/.exec(id) ?? []
  return own && `turn_${own}`
}

/** What an agent says is one message, whatever it does in between: its calls are its own, and no client is to make them. */
export function messageOf(turnId: string, text: string, status: ResponseMessage['status']): ResponseMessage {
  return {
    id: turnId.replace(/^turn_/, 'msg_'),
    type: 'message',
    role: 'assistant',
    status,
    content: [textPart(text)],
  }
}

export function textPart(text: string): ResponseMessage['content'][number] {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

export function toModelResponse(turn: Turn, kept: KeptRequest, text: string): ModelResponse {
  const { id, agent, createdAt, endedAt, ending } = turn
  const { inputTokens, outputTokens, cachedInputTokens } = turn.use
  const status = statusOf(turn)
  const isOpen = status === 'queued' || status === 'in_progress'
  const itemStatus = isOpen ? 'in_progress' : status === 'completed' ? 'completed' : 'incomplete'
  return {
    id: responseIdOf(id),
    object: 'response',
    created_at: secondsOf(createdAt),
    completed_at: endedAt && status === 'completed' ? secondsOf(endedAt) : null,
    status,
    error: status === 'failed' ? { code: 'server_error', message: ending?.message ?? 'The agent broke off' } : null,
    incomplete_details: status === 'incomplete' ? { reason: reasonOf(turn) } : null,
    model: agent,
    output: text === '' && status !== 'completed' ? [] : [messageOf(id, text, itemStatus)],
    usage: isOpen
      ? null
      : {
          input_tokens: inputTokens,
          input_tokens_details: { cached_tokens: cachedInputTokens },
          output_tokens: outputTokens,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: inputTokens + outputTokens,
        },
    ...kept,
    parallel_tool_calls: true,
    temperature: null,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    truncation: 'disabled',
  }
}

/** Limits of the agent and of the model cut an answer short. One that a person stopped is cancelled. */
function statusOf({ status, ending, steps }: Turn): ModelResponse['status'] {
  if (!isTurnOver(status)) return status === 'queued' ? 'queued' : 'in_progress'
  if (ending && isFailure(ending)) return 'failed'
  if (status === 'stopped') return 'cancelled'
  const isCut = ['length', 'content-filter'].includes(steps.at(-1)?.finishReason ?? '')
  return status === 'done' && !isCut ? 'completed' : 'incomplete'
}

function reasonOf({ steps }: Turn): 'max_output_tokens' | 'content_filter' {
  return steps.at(-1)?.finishReason === 'content-filter' ? 'content_filter' : 'max_output_tokens'
}

function secondsOf(at: string): number {
  return Math.floor(Date.parse(at) / 1000)
}
