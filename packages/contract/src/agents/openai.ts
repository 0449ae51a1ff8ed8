import { z } from 'zod'
import { text } from '../wire/text.ts'

// The fields we act on, and those whose answer would mean something else without them. Clients send many more, and a strict schema would refuse them all.

const textPart = z.looseObject({ type: z.literal('text'), text: text().max(200_000) })
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: text().max(10_000_000) }),
})
const refusalPart = z.looseObject({ type: z.literal('refusal'), refusal: text().max(200_000) })

const content = z.union(
  [text().max(200_000), z.array(z.discriminatedUnion('type', [textPart, imagePart, refusalPart])).max(100)],
  'must be a text of at most 200000 characters, or at most 100 parts of the types text, image_url and refusal',
)

const resultText = z.union(
  [text().max(200_000), z.array(textPart).max(100)],
  'must be a text of at most 200000 characters, or at most 100 parts of the type text',
)

const toolCall = z.looseObject({
  id: text().min(1).max(200),
  type: z.literal('function', 'must be function'),
  function: z.looseObject({ name: text().min(1).max(64), arguments: text().max(200_000) }),
})

const chatMessage = z.discriminatedUnion(
  'role',
  [
    z.looseObject({ role: z.enum(['system', 'developer', 'user']), content }),
    z.looseObject({
      role: z.literal('assistant'),
      content: content.nullish(),
      tool_calls: z.array(toolCall).max(100).nullish(),
      function_call: z.null('must be written as tool_calls').optional(),
    }),
    z.looseObject({ role: z.literal('tool'), tool_call_id: text().min(1).max(200), content: resultText }),
  ],
  'role must be system, developer, user, assistant or tool',
)

export const ownTools = 'must be left out: an agent uses the tools of its definition'
export const noneOf = (message: string) => z.array(z.never(message), message).nullish()
export const leftOut = (why: string) => z.null(`must be left out: ${why}`).optional()

/** Fields that an agent cannot honour: only the values that ask for nothing are taken. */
export const unsupportedChatFields = {
  tools: noneOf(ownTools),
  functions: noneOf(ownTools),
  tool_choice: z.enum(['auto', 'none'], ownTools).nullish(),
  function_call: z.enum(['auto', 'none'], ownTools).nullish(),
  n: z.literal(1, 'must be 1: an agent does its work once and gives one answer').nullish(),
  response_format: z
    .looseObject({ type: z.literal('text', 'must be text: write into the instructions what form the answer has') })
    .nullish(),
  stop: noneOf('must be left out: an agent ends by itself'),
  seed: leftOut('what an agent does cannot be repeated'),
  logprobs: z.literal(false, 'must be false: they are not known of an agent').nullish(),
  top_logprobs: z.literal(0, 'must be 0: they are not known of an agent').nullish(),
  logit_bias: z.record(z.string(), z.never('must be left out: an agent chooses its own words')).nullish(),
  modalities: z.array(z.literal('text', 'must be text: an agent answers in text')).nullish(),
  audio: leftOut('an agent answers in text'),
  web_search_options: leftOut('an agent uses the tools of its definition'),
}

/** The part of OpenAI's Chat Completions that an agent answers. */
export const chatCompletionRequest = z.looseObject({
  /** The name of an agent. */
  model: text().min(1).max(200),
  messages: z.array(chatMessage).min(1).max(500),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  ...unsupportedChatFields,
})
export type ChatCompletionRequest = z.infer<typeof chatCompletionRequest>

export const chatCompletion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.number().int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.number().int(),
      message: z.object({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
      finish_reason: z.enum(['stop', 'length', 'content_filter']),
      logprobs: z.null(),
    }),
  ),
  usage: z.object({
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
    total_tokens: z.number(),
    prompt_tokens_details: z.object({ cached_tokens: z.number() }),
  }),
})
export type ChatCompletion = z.infer<typeof chatCompletion>

export const chatModel = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.string(),
})

export const chatModels = z.object({ object: z.literal('list'), data: z.array(chatModel) })

const embeddedText = text().min(1, 'must not be empty').max(100_000)
const mostCharacters = 1_000_000

/** Vectors of texts. What other models made tokens of cannot be read here. */
export const embeddingRequest = z.looseObject({
  /** The embedding model that is set, with its provider or without. */
  model: text().min(1).max(200),
  input: z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z
      .array(embeddedText, 'must be a text or a list of texts: tokens are those of another model')
      .min(1)
      .max(2048)
      .refine((texts) => texts.reduce((sum, { length }) => sum + length, 0) <= mostCharacters, {
        error: `must not have more than ${mostCharacters} characters in all`,
        when: ({ issues }) => issues.length === 0,
      }),
  ),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.number().int().min(1).max(8192).nullish(),
})

export const embeddingList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.number().int(),
      /** Numbers, or their 32 bits each in base64. */
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.number(), total_tokens: z.number() }),
})

/** OpenAI's own form of an error: what every address below /v1 answers when it refuses. */
export const chatError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
})
export type ChatError = z.infer<typeof chatError>
