import { CoherexError, type ToolReviewAnswer, type ToolReviewQuestion } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Models } from '../../models/index.ts'
import type { Registry } from '../../registry/index.ts'
import { askModel } from './ask-model.ts'
import { askService, type ServiceDeps } from './ask-service.ts'

export interface ReviewDeps extends ServiceDeps {
  models: Pick<Models, 'ask'>
}

/** Has a model or the team's service review a version. Its findings are kept as comments; people decide. */
export async function askReview(
  { registry: { tools }, ...deps }: ReviewDeps & { registry: Pick<Registry, 'tools'> },
  caller: TeamCaller,
  { name, question }: { name: string; question: ToolReviewQuestion },
): Promise<ToolReviewAnswer> {
  const { teamId } = caller
  const { version } = question
  const { content } = await tools.findStored(teamId, name, version)
  if (question.by === 'model') {
    const { name: model, findings, use } = await askModel(deps.models, caller, { content, model: question.model })
    const by = { kind: 'model' as const, id: model, name: model }
    return { items: await tools.keepFindings(caller, { name, version, by, use }, findings), use }
  }
  const { service } = await tools.rules(teamId)
  if (!service)
    throw new CoherexError('conflict', 'The team names no review service: an admin sets one in the rules for tools')
  const { name: host, findings } = await askService(deps, { teamId, service }, { content, version })
  const by = { kind: 'service' as const, id: host, name: host }
  return { items: await tools.keepFindings(caller, { name, version, by, use: null }, findings), use: null }
}
