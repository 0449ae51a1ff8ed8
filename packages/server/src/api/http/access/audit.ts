import { routes, type AuditEvent } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { exportPages, type PageRequest } from '../answers/export-pages.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { audit: route } = routes

export function mountAudit(app: Hono<Env>, api: Api): void {
  mount(app, api, route.list, async ({ query, caller }) => api.access.listAudit(inTeam(caller).teamId, query))

  mount(app, api, route.export, async ({ query, caller, context }) => {
    const { teamId } = inTeam(caller)
    const { format, ...filters } = query
    const readPage = (page: PageRequest) => api.access.listAudit(teamId, { ...filters, ...page })
    return exportPages(context, { name: 'audit', format, csvHeader, toCsv, readPage, log: api.log })
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
