import { z } from 'zod'
import { modelName } from '../agent.ts'
import { modelChoices } from '../models.ts'
import { route } from '../route.ts'

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
}
