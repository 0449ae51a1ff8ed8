import { z } from 'zod'
import { text } from '../wire/text.ts'
import { leftOut, noneOf, ownTools } from './openai.ts'

// As in Chat Completions: the fields we act on, and those whose answer would mean something else without them.

const words = text().max(200_000)
const inputText = z.looseObject({ type: z.literal('input_text'), text: words })
const part = z.discriminatedUnion(
  'type',
  [
    inputText,
    z.looseObject({ type: z.literal('output_text'), text: words }),
    z.looseObject({ type: z.literal('refusal'), refusal: words }),
    z.looseObject({
      type: z.literal('input_image'),
      image_url: text().max(10_000_000).nullish(),
      file_id: z.null('must be left out: an image is a data URL in image_url').optional(),
    }),
  ],
  'type must be input_text, output_text, refusal or input_image',
)

const content = z.union(
  [words, z.array(part).max(100)],
  'must be a text of at most 200000 characters, or at most 100 parts of the types input_text, input_image, output_text and refusal',
)

const item = z.discriminatedUnion(
  'type',
  [
    z.looseObject({
      type: z.literal('message'),
      role: z.enum(['user', 'assistant', 'system', 'developer']),
      content,
    }),
    z.looseObject({
      type: z.literal('function_call'),
      call_id: text().min(1).max(200),
      name: text().min(1).max(64),
      arguments: words,
    }),
    z.looseObject({
      type: z.literal('function_call_output'),
      call_id: text().min(1).max(200),
      output: z.union(
        [words, z.array(inputText).max(100)],
        'must be a text of at most 200000 characters, or at most 100 parts of the type input_text',
      ),
    }),
    z.looseObject({ type: z.literal('item_reference'), id: text().min(1).max(200) }),
    // other models' thoughts, which clients send back: an agent has its own
    z.looseObject({ type: z.literal('reasoning') }),
  ],
  'type must be message, function_call, function_call_output, item_reference or reasoning',
)

/** A message may leave its type out. */
function nameType(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || 'type' in value) return value
  return { ...value, type: 'message' }
}

/** A text is one message of the user. */
function listItems(value: unknown): unknown {
  return typeof value === 'string' ? [{ type: 'message', role: 'user', content: value }] : value
}

const ownConversation = 'a conversation is gone on with by previous_response_id'

/** Fields that an agent cannot honour: only the values that ask for nothing are taken. */
export const unsupportedResponseFields = {
  tools: noneOf(ownTools),
  tool_choice: z.enum(['auto', 'none'], ownTools).nullish(),
  text: z
    .looseObject({
      format: z
        .looseObject({ type: z.literal('text', 'must be text: write into the instructions what form the answer has') })
        .nullish(),
    })
    .nullish(),
  top_logprobs: z.literal(0, 'must be 0: they are not known of an agent').nullish(),
  conversation: leftOut(ownConversation),
  prompt: leftOut('the instructions of an agent stand in its definition'),
  context_management: noneOf('must be left out: an agent shortens a long conversation by itself'),
}

const metadata = z
  .record(text().min(1).max(64), text().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, 'must not have more than 16 pairs')

/** The part of OpenAI's Responses that an agent answers. */
export const responseRequest = z.looseObject({
  /** The name of an agent. */
  model: text().min(1).max(200),
  input: z.preprocess(listItems, z.array(z.preprocess(nameType, item)).min(1).max(500)),
  instructions: words.nullish(),
  previous_response_id: text().max(200).nullish(),
  store: z.boolean().nullish(),
  background: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  metadata: metadata.nullish(),
  ...unsupportedResponseFields,
})
export type ResponseRequest = z.infer<typeof responseRequest>
export type ResponseItem = ResponseRequest['input'][number]

const outputText = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.never()),
  logprobs: z.array(z.never()),
})

const outputMessage = z.object({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  status: z.enum(['in_progress', 'completed', 'incomplete']),
  content: z.array(outputText),
})
export type ResponseMessage = z.infer<typeof outputMessage>

/** What was asked for, as far as the answer repeats it. */
export const keptRequest = z.object({
  instructions: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  previous_response_id: z.string().nullable(),
  background: z.boolean(),
  store: z.boolean(),
})
export type KeptRequest = z.infer<typeof keptRequest>

export const modelResponse = keptRequest.extend({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.number().int(),
  completed_at: z.number().int().nullable(),
  status: z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
  model: z.string(),
  output: z.array(outputMessage),
  usage: z
    .object({
      input_tokens: z.number(),
      input_tokens_details: z.object({ cached_tokens: z.number() }),
      output_tokens: z.number(),
      output_tokens_details: z.object({ reasoning_tokens: z.number() }),
      total_tokens: z.number(),
    })
    .nullable(),
  parallel_tool_calls: z.boolean(),
  temperature: z.null(),
  text: z.object({ format: z.object({ type: z.literal('text') }) }),
  tool_choice: z.literal('auto'),
  tools: z.array(z.never()),
  top_p: z.null(),
  truncation: z.literal('disabled'),
})
export type ModelResponse = z.infer<typeof modelResponse>

export const deletedResponse = z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) })
