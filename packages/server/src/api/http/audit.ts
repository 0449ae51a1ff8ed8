import { routes, type AuditEvent } from '@coherex/contract'
import type { Hono } from 'hono'
import { stream } from 'hono/streaming'
import type { StreamingApi } from 'hono/utils/stream'
import { inTeam, listAudit } from '../../access/index.ts'
import type { Api } from './api.ts'
import { mount } from './mount.ts'
import type { Env } from './request-context.ts'

const { audit: route } = routes
const exportPage = 200

export function mountAudit(app: Hono<Env>, api: Api): void {
  mount(app, api, route.list, async ({ query, caller }) => listAudit(api.database, inTeam(caller).teamId, query))

  mount(app, api, route.export, async ({ query, caller, context }) => {
    const { teamId } = inTeam(caller)
    const { format, ...filters } = query
    context.header('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
    context.header('content-disposition', `attachment; filename="audit.${format === 'csv' ? 'csv' : 'jsonl'}"`)
    const write = async (output: StreamingApi) => {
      if (format === 'csv') await output.write(`${csvHeader}\r\n`)
      // page by page, each its own short transaction: the log may be long and the reader slow
      let cursor: string | undefined
      do {
        const page = await listAudit(api.database, teamId, { ...filters, limit: exportPage, cursor })
        const lines = page.items.map((event) =>
          format === 'csv' ? `${toCsv(event)}\r\n` : `${JSON.stringify(event)}\n`,
        )
        await output.write(lines.join(''))
        cursor = page.nextCursor ?? undefined
      } while (cursor && !output.aborted)
    }
    return stream(context, write, async (error, output) => {
      api.log.error({ error, requestId: context.get('requestId') }, 'an export of the audit log was cut off')
      output.abort()
    })
  })
}

const csvHeader = 'at,actor,actorKind,actorId,action,targetKind,targetId,target,details,ip,requestId'

function toCsv({ at, actor, action, target, details, ip, requestId }: AuditEvent): string {
  const values = [
    at,
    actor.name,
    actor.kind,
    actor.id,
    action,
    target?.kind,
    target?.id,
    target?.name,
    JSON.stringify(details),
    ip,
    requestId,
  ]
  return values.map(csvCell).join(',')
}

/** Quoted, and kept from being read as a formula by a spreadsheet. */
export function csvCell(value: string | null | undefined): string {
  const text = value ?? ''
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
