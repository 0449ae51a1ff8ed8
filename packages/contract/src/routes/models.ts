import { z } from 'zod'
import { modelName } from '../agents/agent.ts'
import { assistance, assistRequest, suggestion, suggestRequest } from '../agents/inline-help.ts'
import { modelCheck, modelChoices, providerId } from '../agents/models.ts'
import { route } from '../wire/route.ts'

const tag = 'Models'
const runs = { role: 'editor', scope: 'run' } as const

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
  setEmbedding: route({
    method: 'put',
    path: '/api/v1/models/embedding',
    summary: 'Choose the model that makes vectors of texts',
    description: 'Null leaves it to the operator, who may have set `COHEREX_EMBEDDING_MODEL`.',
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
  suggest: route({
    method: 'post',
    path: '/api/v1/suggest',
    summary: 'What a model would write at the cursor',
    description:
      'Hanging up cancels the call. Files that hold secrets are refused, and secrets of the team and whatever looks like a key are left out of what the model reads. What it takes counts in `spendUsdPerMonth` and in `inlineHelpUsdPerPerson`.',
    tag,
    access: runs,
    idempotent: false,
    body: suggestRequest,
    response: suggestion,
  }),
  assist: route({
    method: 'post',
    path: '/api/v1/assist',
    summary: 'Have a model explain, fix, test or edit a file or a part of it',
    description:
      'Writes nothing: `change` is what the model would write, for a person to accept. Hanging up cancels the call. Secrets and cost are as with suggestions.',
    tag,
    access: runs,
    idempotent: false,
    body: assistRequest,
    response: assistance,
  }),
}
