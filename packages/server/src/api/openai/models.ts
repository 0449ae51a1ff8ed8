import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../access/index.ts'
import type { Api } from '../api.ts'
import { mount } from '../http/mount.ts'
import type { Env } from '../http/requests/request-context.ts'
import type { Answers } from './answers.ts'

const { openai: route } = routes
const agentsAtOnce = 200

/** Agents as the models that OpenAI's clients list. */
export function mountOpenAiModels(app: Hono<Env>, api: Api, answers: Answers): void {
  mount(app, api, route.models, async ({ caller }) => {
    const { teamId } = inTeam(caller)
    const data: ReturnType<typeof toModel>[] = []
    let cursor: string | undefined
    // these clients know no pages
    do {
      const page = await api.registry.agents.list(teamId, { limit: agentsAtOnce, status: 'active', cursor })
      data.push(...page.items.map(toModel))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    return { object: 'list' as const, data }
  })

  mount(app, api, route.model, async ({ params, caller }) =>
    toModel(await answers.findModel(inTeam(caller), params.model)),
  )
}

function toModel({ name, createdAt }: { name: string; createdAt: string | Date }) {
  const created = Math.floor(new Date(createdAt).getTime() / 1000)
  return { id: name, object: 'model' as const, created, owned_by: 'coherex' }
}
