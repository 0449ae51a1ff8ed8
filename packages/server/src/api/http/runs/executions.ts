import { routes, type ExecutionSummary } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { csvCell } from '../access/audit.ts'
import { exportPages, type PageRequest } from '../answers/export-pages.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { executions: route } = routes
const mostExported = 10_000

export function mountExecutions(app: Hono<Env>, api: Api): void {
  const { executions } = api

  mount(app, api, route.list, async ({ query, caller }) => executions.list(inTeam(caller).teamId, query))

  mount(app, api, route.timeline, async ({ params, caller }) => executions.timeline(inTeam(caller).teamId, params.id))

  mount(app, api, route.again, async ({ params, caller }) => executions.again(inTeam(caller).teamId, params.id))

  mount(app, api, route.retry, async ({ params, body, caller }) =>
    executions.retry(inTeam(caller), params.id, body.approve),
  )

  mount(app, api, route.export, async ({ query, caller, context }) => {
    const { teamId } = inTeam(caller)
    const { format, ...filters } = query
    const readPage = (page: PageRequest) => executions.list(teamId, { ...filters, ...page })
    return exportPages(context, {
      ...{ name: 'executions', format, csvHeader, toCsv, readPage, log: api.log },
      mostRows: mostExported,
    })
  })
}

const csvHeader =
  'createdAt,kind,id,status,startedBy,startedByName,createdBy,agent,model,language,runtime,durationMs,inputTokens,outputTokens,costUsd,input,output,reason,sandboxId,retryOf'

function toCsv(one: ExecutionSummary): string {
  const values = [
    ...[one.createdAt, one.kind, one.id, one.status, one.startedBy.kind, one.startedBy.name, one.createdBy.name],
    ...[one.agent, one.model, one.language, one.runtime, numberOf(one.durationMs)],
    ...[numberOf(one.use?.inputTokens), numberOf(one.use?.outputTokens), numberOf(one.use?.costUsd)],
    ...[one.input, one.output, one.reason, one.sandboxId, one.retryOf],
  ]
  return values.map(csvCell).join(',')
}

function numberOf(value: number | null | undefined): string | null {
  return typeof value === 'number' ? String(value) : null
}
