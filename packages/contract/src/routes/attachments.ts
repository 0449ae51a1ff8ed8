import { z } from 'zod'
import { attachment } from '../agents/attachment.ts'
import { idOf } from '../wire/id.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'Threads'

export const attachments = {
  upload: route({
    method: 'post',
    path: '/api/v1/attachments',
    summary:
      'Upload a file for a message; the body is its content, up to 100 MB. It is forgotten after a day unless a message names it',
    tag,
    access: { role: 'editor', scope: 'run' },
    query: z.object({ name: text().min(1).max(1_000) }),
    body: 'bytes',
    response: attachment,
    status: 201,
    idempotent: false,
  }),
  content: route({
    method: 'get',
    path: '/api/v1/attachments/{id}/content',
    summary: 'The bytes of an attached file, as a download',
    tag,
    access: { role: 'viewer', scope: 'read' },
    params: z.object({ id: idOf('attachment') }),
    response: 'text',
  }),
}
