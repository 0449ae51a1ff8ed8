import { z } from 'zod'
import { idOf } from '../../wire/id.ts'
import { pageOf, pageQuery } from '../../wire/page.ts'
import { route } from '../../wire/route.ts'
import { text } from '../../wire/text.ts'
import { proposal } from '../../workspaces/workspace.ts'
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
    summary: 'Accept or reject an agent’s edit, or some of its hunks',
    description:
      '`hunks` are those of `diff` that are accepted, counted from 0; the others are not made, or with `rest: keep` wait on, undecided. With `rest: keep` hunks can be rejected too. `digest` is that of the proposal they were seen in: where the file changed since, nothing is decided (`conflict`).',
    tag,
    access: writes,
    params: params.extend({ proposalId: idOf('proposal') }),
    idempotent: false,
    body: z
      .strictObject({
        decision: z.enum(['accept', 'reject']),
        hunks: z.array(z.number().int().min(0)).min(1).max(10_000).optional(),
        digest: text().max(64).optional(),
        rest: z.enum(['drop', 'keep']).default('drop'),
        note: line.max(500).optional(),
      })
      .refine(({ hunks, digest }) => !hunks || digest !== undefined, {
        path: ['hunks'],
        message: 'go with the digest of the proposal',
      })
      .refine(({ decision, hunks, rest }) => !hunks || decision === 'accept' || rest === 'keep', {
        path: ['rest'],
        message: 'is "keep" where hunks are rejected',
      }),
    response: proposal,
  }),
}
