import { z } from 'zod'
import { inboxCount, inboxItem, inboxKindList } from '../agents/inbox.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'Inbox'
const reads = { role: 'viewer', scope: 'read' } as const

export const inbox = {
  list: route({
    method: 'get',
    path: '/api/v1/inbox',
    summary: 'What waits for the caller, newest first',
    description:
      'Editors see approvals, proposals of files and definitions, skills to review, and, where the team asks for it, versions of tools by others. Turns that were given up are for the person they worked for, failed triggers for whoever stored them; admins and owners see those of all triggers.',
    tag,
    access: reads,
    query: pageQuery.extend({ kinds: inboxKindList.optional().describe('Separated by commas; all unless said') }),
    response: pageOf(inboxItem),
  }),
  count: route({
    method: 'get',
    path: '/api/v1/inbox/count',
    summary: 'How much waits for the caller, up to 100',
    tag,
    access: reads,
    response: inboxCount,
  }),
  dismiss: route({
    method: 'post',
    path: '/api/v1/inbox/{id}/dismiss',
    summary: 'Take a given-up turn or a failed trigger out of the caller’s inbox',
    description: 'Earlier failures of the same trigger go with it. A later one is a new item.',
    tag,
    access: { role: 'editor', scope: 'run' },
    params: z.object({ id: text().min(1).max(200) }),
    idempotent: false,
  }),
}
