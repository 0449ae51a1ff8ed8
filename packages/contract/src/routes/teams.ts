import { z } from 'zod'
import { role } from '../access/access.ts'
import { email, invitation, me, member, passOnLink, password, personName, team, teamName } from '../access/people.ts'
import { quotas, quotaUsage } from '../access/quotas.ts'
import { idOf } from '../wire/id.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'Teams'
const personParams = z.object({ personId: idOf('person') })
const token = text().min(20).max(200)

export const teams = {
  create: route({
    method: 'post',
    path: '/api/v1/teams',
    summary: 'Make a team; you become its owner',
    tag,
    access: 'person',
    status: 201,
    body: z.strictObject({ name: teamName }),
    response: team,
  }),
  current: route({
    method: 'get',
    path: '/api/v1/team',
    summary: 'The current team',
    tag,
    access: { role: 'viewer', scope: 'read' },
    response: team,
  }),
  rename: route({
    method: 'patch',
    path: '/api/v1/team',
    summary: 'Rename the current team',
    tag,
    access: { role: 'admin', scope: 'admin' },
    body: z.strictObject({ name: teamName }),
    response: team,
  }),
  remove: route({
    method: 'delete',
    path: '/api/v1/team',
    summary: 'Delete the current team with everything it owns',
    tag,
    access: { role: 'owner', scope: 'admin' },
    query: z.object({ name: text().max(60).describe('The team’s name, to confirm') }),
  }),
  listMembers: route({
    method: 'get',
    path: '/api/v1/members',
    summary: 'Members of the current team',
    tag,
    access: { role: 'viewer', scope: 'read' },
    query: pageQuery,
    response: pageOf(member),
  }),
  changeRole: route({
    method: 'patch',
    path: '/api/v1/members/{personId}',
    summary: 'Change a member’s role',
    tag,
    access: { role: 'admin', scope: 'admin' },
    params: personParams,
    body: z.strictObject({ role }),
    response: member,
  }),
  removeMember: route({
    method: 'delete',
    path: '/api/v1/members/{personId}',
    summary: 'Remove a member, or leave the team yourself',
    tag,
    access: { role: 'viewer', scope: 'admin' },
    params: personParams,
  }),
  listInvitations: route({
    method: 'get',
    path: '/api/v1/invitations',
    summary: 'Invitations that are still open',
    tag,
    access: { role: 'admin', scope: 'admin' },
    query: pageQuery,
    response: pageOf(invitation),
  }),
  invite: route({
    method: 'post',
    path: '/api/v1/invitations',
    summary: 'Invite someone; the link is mailed, or shown once to pass on',
    tag,
    access: { role: 'admin', scope: 'admin' },
    status: 201,
    body: z.strictObject({ email, role }),
    response: passOnLink.extend({ invitation }),
  }),
  revokeInvitation: route({
    method: 'delete',
    path: '/api/v1/invitations/{id}',
    summary: 'Withdraw an invitation',
    tag,
    access: { role: 'admin', scope: 'admin' },
    params: z.object({ id: idOf('invitation') }),
  }),
  previewInvitation: route({
    method: 'post',
    path: '/api/v1/invitations/preview',
    summary: 'What an invitation link is for',
    tag,
    access: 'anyone',
    idempotent: false,
    body: z.strictObject({ token }),
    response: z.object({ teamName: z.string(), email: z.string(), role, personExists: z.boolean() }),
  }),
  acceptInvitation: route({
    method: 'post',
    path: '/api/v1/invitations/accept',
    summary: 'Join a team by its link: signed in as the invited person, or with the name and password of a new one',
    tag,
    access: 'anyone',
    idempotent: false,
    body: z.strictObject({ token, name: personName.optional(), password: password.optional() }),
    response: me,
  }),
  quotas: route({
    method: 'get',
    path: '/api/v1/quotas',
    summary: 'What the team may use and what it uses',
    tag,
    access: { role: 'viewer', scope: 'read' },
    response: quotaUsage,
  }),
  setQuotas: route({
    method: 'patch',
    path: '/api/v1/quotas',
    summary: 'Set the current team’s quotas (operators)',
    tag,
    access: 'operator',
    body: quotas.partial().strict(),
    response: quotaUsage,
  }),
}
