import { z } from 'zod'
import { modelName } from '../agents/agent.ts'
import { modelCheck, modelChoices, providerId } from '../agents/models.ts'
import { route } from '../wire/route.ts'

const tag = 'Models'

export const models = {
  list: route({
    method: 'get',
    path: '/api/v1/models',
    summary: 'Providers, their models and prices, and the team’s default',
    tag,
    access: { role: 'viewer', scope: 'read' },
    response: modelChoices,
  }),
  setDefault: route({
    method: 'put',
    path: '/api/v1/models/default',
    summary: 'Choose the model of agents that name none',
    tag,
    access: { role: 'admin', scope: 'admin' },
    body: z.strictObject({ model: modelName.nullable() }),
    response: modelChoices,
  }),
  check: route({
    method: 'post',
    path: '/api/v1/models/check',
    summary: 'Ask a provider whether it takes the key that the team’s agents use',
    tag,
    access: { role: 'admin', scope: 'admin' },
    idempotent: false,
    body: z.strictObject({ provider: providerId }),
    response: modelCheck,
  }),
}
