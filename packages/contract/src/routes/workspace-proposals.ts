import { z } from 'zod'
import { idOf } from '../wire/id.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { proposal } from '../workspaces/workspace.ts'
import { line, params, reads, tag, writes } from './workspace-terms.ts'

/** Edits of agents that wait for a person. */
export const workspaceProposals = {
  listProposals: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/proposals',
    summary: 'Edits of agents that wait for a person, or did',
    tag,
    access: reads,
    params,
    query: pageQuery.extend({ status: z.enum(['open', 'accepted', 'rejected']).default('open') }),
    response: pageOf(proposal),
  }),
  getProposal: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/proposals/{proposalId}',
    summary: 'One edit of an agent, as it would change the file now',
    tag,
    access: reads,
    params: params.extend({ proposalId: idOf('proposal') }),
    response: proposal,
  }),
  decideProposal: route({
    method: 'post',
    path: '/api/v1/workspaces/{id}/proposals/{proposalId}',
    summary: 'Accept or reject an agent’s edit',
    tag,
    access: writes,
    params: params.extend({ proposalId: idOf('proposal') }),
    idempotent: false,
    body: z.strictObject({ decision: z.enum(['accept', 'reject']), note: line.max(500).optional() }),
    response: proposal,
  }),
}
