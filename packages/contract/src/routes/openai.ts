import { z } from 'zod'
import { deletedResponse, modelResponse, responseRequest } from '../agents/openai-responses.ts'
import {
  chatCompletion,
  chatCompletionRequest,
  chatModel,
  chatModels,
  embeddingList,
  embeddingRequest,
} from '../agents/openai.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'OpenAI-compatible'
const reads = { role: 'viewer', scope: 'read' } as const
const runs = { role: 'editor', scope: 'run' } as const
const responseId = z.object({ id: text().min(1).max(200) })

export const openai = {
  models: route({
    method: 'get',
    path: '/v1/models',
    summary: 'Active agents, as models',
    tag,
    access: reads,
    response: chatModels,
  }),
  model: route({
    method: 'get',
    path: '/v1/models/{model}',
    summary: 'One active agent, as a model',
    tag,
    access: reads,
    params: z.object({ model: text().min(1).max(200) }),
    response: chatModel,
  }),
  chat: route({
    method: 'post',
    path: '/v1/chat/completions',
    summary: 'An agent’s answer, in the words of Chat Completions',
    description:
      'The model is the name of an agent, which uses its own tools and model. With `stream: true` it answers chunks as server-sent events. Each call is a thread of its own. Tools, several answers and forms of the answer are the agent’s own: fields that ask for them are refused.',
    tag,
    access: runs,
    body: chatCompletionRequest,
    response: chatCompletion,
    idempotent: false,
  }),
  embeddings: route({
    method: 'post',
    path: '/v1/embeddings',
    summary: 'Vectors of texts, by the embedding model that is set',
    tag,
    access: runs,
    body: embeddingRequest,
    response: embeddingList,
    idempotent: false,
    refusals: ['not_found'],
  }),
  respond: route({
    method: 'post',
    path: '/v1/responses',
    summary: 'An agent’s answer, in the words of Responses',
    description:
      'The model is the name of an agent. With `stream: true` it answers events. An answer is a turn in a thread, which `previous_response_id` goes on with; `background: true` answers at once; with `store: false` the conversation is removed when it has ended.',
    tag,
    access: runs,
    body: responseRequest,
    response: modelResponse,
    idempotent: false,
    refusals: ['not_found', 'conflict'],
  }),
  response: route({
    method: 'get',
    path: '/v1/responses/{id}',
    summary: 'One answer of an agent',
    description: 'With `stream=true` as events, after the one that `starting_after` names.',
    tag,
    access: reads,
    params: responseId,
    query: z.object({
      stream: z.enum(['true', 'false']).optional(),
      starting_after: z.coerce.number().int().min(0).optional(),
    }),
    response: modelResponse,
  }),
  removeResponse: route({
    method: 'delete',
    path: '/v1/responses/{id}',
    summary: 'Delete an answer with what it answers',
    description:
      'The thread goes with its only answer. One that was gone on with stays until the later ones are deleted.',
    tag,
    access: runs,
    params: responseId,
    response: deletedResponse,
  }),
  cancelResponse: route({
    method: 'post',
    path: '/v1/responses/{id}/cancel',
    summary: 'Stop an agent at work on an answer',
    tag,
    access: runs,
    params: responseId,
    response: modelResponse,
    idempotent: false,
  }),
}
