import { z } from 'zod'
import { approval, approvalDecision, approvalRules, approvalStatus } from '../agents/approval.ts'
import { idOf } from '../wire/id.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'

const tag = 'Approvals'
const params = z.object({ id: idOf('approval') })
const reads = { role: 'viewer', scope: 'read' } as const

export const approvals = {
  list: route({
    method: 'get',
    path: '/api/v1/approvals',
    summary: 'What agents of the team ask, newest first',
    tag,
    access: reads,
    query: pageQuery.extend({ status: approvalStatus.optional(), threadId: idOf('thread').optional() }),
    response: pageOf(approval),
  }),
  rules: route({
    method: 'get',
    path: '/api/v1/approvals/rules',
    summary: 'When people of the team are asked, whatever a definition says',
    tag,
    access: reads,
    response: approvalRules,
  }),
  setRules: route({
    method: 'put',
    path: '/api/v1/approvals/rules',
    summary: 'Set when people are asked at the least; definitions can ask more often, never less',
    tag,
    access: { role: 'admin', scope: 'admin', by: 'session' },
    body: approvalRules,
    response: approvalRules,
  }),
  get: route({
    method: 'get',
    path: '/api/v1/approvals/{id}',
    summary: 'One question, with the exact arguments',
    tag,
    access: reads,
    params,
    response: approval,
  }),
  decide: route({
    method: 'post',
    path: '/api/v1/approvals/{id}',
    summary: 'Approve, reject, or change the arguments and approve; once, by a signed-in person',
    tag,
    access: { role: 'editor', scope: 'run', by: 'session' },
    params,
    body: approvalDecision,
    idempotent: false,
    response: approval,
  }),
}
