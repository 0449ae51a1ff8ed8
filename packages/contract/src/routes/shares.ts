import { z } from 'zod'
import { madeShare, newShare, share, sharedArtifact, shareTarget } from '../artifacts/share.ts'
import { idOf } from '../wire/id.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'Shares'
const params = z.object({ id: idOf('share') })
const version = z.coerce.number().int().min(1).max(2_147_483_647).optional()
const reads = { role: 'viewer', scope: 'read' } as const
const writes = { role: 'editor', scope: 'write' } as const

/** Links to artifacts, conversations and files, and what is behind them. */
export const shares = {
  create: route({
    method: 'post',
    path: '/api/v1/shares',
    summary:
      'Share an artifact, a conversation or a file of a workspace, with the team or with anyone who has the link',
    description:
      'The address of a public share is told in this answer only: the server keeps a hash of it. A share shows what the artifact or the file is when it is opened, and a conversation up to its last message when it was shared, with the rights of who shared it.',
    tag,
    access: writes,
    body: newShare,
    response: madeShare,
    status: 201,
    // its answer holds an address that is kept nowhere else
    idempotent: false,
  }),
  list: route({
    method: 'get',
    path: '/api/v1/shares',
    summary: 'Shares of one thing; without one your own, and for an admin all of the team',
    tag,
    access: reads,
    query: pageQuery.extend(shareTarget.shape),
    response: pageOf(share),
  }),
  revoke: route({
    method: 'delete',
    path: '/api/v1/shares/{id}',
    summary: 'Revoke a share: its address leads nowhere from now on',
    tag,
    access: writes,
    params,
  }),
  content: route({
    method: 'get',
    path: '/api/v1/shares/{id}/content',
    summary: 'What a share shows, for members of its team',
    tag,
    access: reads,
    params,
    query: z.object({ version }),
    response: sharedArtifact,
  }),
  open: route({
    method: 'get',
    path: '/api/v1/shared/{token}',
    summary: 'What a public share shows',
    description: 'Takes no session and no key. An address that is wrong, expired or revoked is 404.',
    tag,
    access: 'anyone',
    params: z.object({ token: text().max(200) }),
    query: z.object({ version }),
    response: sharedArtifact,
  }),
  gallery: route({
    method: 'get',
    path: '/api/v1/gallery',
    summary: 'Shares that the team published in its gallery, newest first',
    tag,
    access: reads,
    query: pageQuery,
    response: pageOf(share),
  }),
}
