import { z } from 'zod'
import { chatCompletion, chatCompletionRequest, chatModel, chatModels } from '../agents/openai.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'OpenAI-compatible'

export const openai = {
  models: route({
    method: 'get',
    path: '/v1/models',
    summary: 'Active agents, as models',
    tag,
    access: { role: 'viewer', scope: 'read' },
    response: chatModels,
  }),
  model: route({
    method: 'get',
    path: '/v1/models/{model}',
    summary: 'One active agent, as a model',
    tag,
    access: { role: 'viewer', scope: 'read' },
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
    access: { role: 'editor', scope: 'run' },
    body: chatCompletionRequest,
    response: chatCompletion,
    idempotent: false,
  }),
}
