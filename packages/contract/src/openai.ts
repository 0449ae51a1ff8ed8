import { z } from 'zod'

// The fields we act on. Clients send many more, and a strict schema would refuse them all.

const textPart = z.looseObject({ type: z.literal('text'), text: z.string().max(200_000) })
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string().max(10_000_000) }),
})

const chatMessage = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.union([z.string().max(200_000), z.array(z.union([textPart, imagePart])).max(100)]),
})

/** The part of OpenAI's Chat Completions that an agent answers. */
export const chatCompletionRequest = z.looseObject({
  /** The name of an agent. */
  model: z.string().min(1).max(64),
  messages: z.array(chatMessage).min(1).max(500),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
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
      finish_reason: z.enum(['stop', 'length']),
      logprobs: z.null(),
    }),
  ),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number(), total_tokens: z.number() }),
})
export type ChatCompletion = z.infer<typeof chatCompletion>

export const chatModels = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({ id: z.string(), object: z.literal('model'), created: z.number().int(), owned_by: z.string() }),
  ),
})
