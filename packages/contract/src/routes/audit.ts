import { z } from 'zod'
import { auditEvent } from '../access/audit.ts'
import { exportFormat, pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'

const tag = 'Audit'
const filters = z.object({
  search: text().max(200).optional().describe('Part of an actor, action or target'),
  action: text().max(80).optional().describe('An action, or its noun'),
  actorId: text().max(60).optional(),
  from: moment.optional(),
  to: moment.optional(),
})

export const audit = {
  list: route({
    method: 'get',
    path: '/api/v1/audit',
    summary: 'What was done in the team, newest first',
    tag,
    access: { role: 'admin', scope: 'admin' },
    query: pageQuery.extend(filters.shape),
    response: pageOf(auditEvent),
  }),
  export: route({
    method: 'get',
    path: '/api/v1/audit/export',
    summary: 'The audit log as a file',
    tag,
    access: { role: 'admin', scope: 'admin' },
    query: filters.extend({ format: exportFormat.default('csv') }),
    response: 'text',
  }),
}
