import { routes, type ExecutionSummary } from '@coherex/contract'
import type { Hono } from 'hono'
import { stream } from 'hono/streaming'
import type { StreamingApi } from 'hono/utils/stream'
import { inTeam } from '../../access/index.ts'
import { listExecutions, readTimeline, retryExecution, type ExecutionRooms } from '../../insight/index.ts'
import type { Api } from './api.ts'
import { csvCell } from './audit.ts'
import { mount } from './mount.ts'
import type { Env } from './request-context.ts'

const { executions: route } = routes
const exportPage = 200
const mostExported = 10_000

export function mountExecutions(app: Hono<Env>, api: Api): void {
  const { database, runs, agents } = api
  const rooms: ExecutionRooms = { database, liveRun: (teamId, id) => runs.live(teamId, id) }

  mount(app, api, route.list, async ({ query, caller }) => listExecutions(rooms, inTeam(caller).teamId, query))

  mount(app, api, route.timeline, async ({ params, caller }) => readTimeline(rooms, inTeam(caller).teamId, params.id))

  mount(app, api, route.retry, async ({ params, caller }) =>
    retryExecution({ ...rooms, runs, agents }, inTeam(caller), params.id),
  )

  mount(app, api, route.export, async ({ query, caller, context }) => {
    const { teamId } = inTeam(caller)
    const { format, ...filters } = query
    context.header('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
    context.header('content-disposition', `attachment; filename="executions.${format === 'csv' ? 'csv' : 'jsonl'}"`)
    const write = async (output: StreamingApi) => {
      if (format === 'csv') await output.write(`${csvHeader}\r\n`)
      let cursor: string | undefined
      let written = 0
      do {
        const page = await listExecutions(rooms, teamId, { ...filters, limit: exportPage, cursor })
        const lines = page.items.map((one) => (format === 'csv' ? `${toCsv(one)}\r\n` : `${JSON.stringify(one)}\n`))
        await output.write(lines.join(''))
        written += exportPage
        cursor = page.nextCursor ?? undefined
      } while (cursor && written < mostExported && !output.aborted)
    }
    return stream(context, write, async (error, output) => {
      api.log.error({ error, requestId: context.get('requestId') }, 'an export of executions was cut off')
      output.abort()
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
