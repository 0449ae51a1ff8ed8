import { z } from 'zod'
import {
  approval,
  approvalChange,
  approvalDecision,
  approvalRules,
  approvalStatus,
  threadApproval,
} from '../agents/approval.ts'
import { idOf } from '../wire/id.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'

const tag = 'Approvals'
const params = z.object({ id: idOf('approval') })
const threadParams = z.object({ id: idOf('thread') })
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
  change: route({
    method: 'get',
    path: '/api/v1/approvals/{id}/change',
    summary: 'What the call would do to files as they are now, as a unified diff for each',
    tag,
    access: reads,
    params,
    response: approvalChange,
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
  ofThread: route({
    method: 'get',
    path: '/api/v1/threads/{id}/approvals',
    summary: 'Calls that agents make in a conversation without asking again',
    tag,
    access: reads,
    params: threadParams,
    response: z.object({ items: z.array(threadApproval) }),
  }),
  withdraw: route({
    method: 'delete',
    path: '/api/v1/threads/{id}/approvals/{approvalId}',
    summary: 'Have an agent ask again before such a call',
    tag,
    access: { role: 'editor', scope: 'run' },
    params: threadParams.extend({ approvalId: idOf('approval') }),
  }),
}
