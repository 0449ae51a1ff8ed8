import { z } from 'zod'
import { pageOf, pageQuery } from '../../wire/page.ts'
import { route } from '../../wire/route.ts'
import { text } from '../../wire/text.ts'
import { workspace, workspaceName, workspaceTemplate } from '../../workspaces/workspace.ts'
import { workspaceFiles } from './workspace-files.ts'
import { workspaceGit } from './workspace-git.ts'
import { workspaceProposals } from './workspace-proposals.ts'
import { params, reads, tag, writes } from './workspace-terms.ts'
import { workspaceTransfer } from './workspace-transfer.ts'
import { workspaceTags, workspaceVersions } from './workspace-versions.ts'

export const workspaces = {
  create: route({
    method: 'post',
    path: '/api/v1/workspaces',
    summary: 'Make a workspace, from a template',
    tag,
    access: writes,
    status: 201,
    body: z.strictObject({ name: workspaceName, template: workspaceTemplate.default('blank') }),
    response: workspace,
  }),
  openScratch: route({
    method: 'put',
    path: '/api/v1/scratch',
    summary: 'Your own workspace, which you alone see: made when it is asked for first',
    tag,
    access: writes,
    response: workspace,
  }),
  list: route({
    method: 'get',
    path: '/api/v1/workspaces',
    summary: 'Workspaces of the team, your own on top and then those made last first',
    tag,
    access: reads,
    query: pageQuery.extend({
      archived: z.enum(['true', 'false']).default('false'),
      search: text().max(100).optional().describe('Part of the name'),
    }),
    response: pageOf(workspace),
  }),
  get: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}',
    summary: 'A workspace',
    tag,
    access: reads,
    params,
    response: workspace,
  }),
  update: route({
    method: 'patch',
    path: '/api/v1/workspaces/{id}',
    summary: 'Rename a workspace, archive it or take it back, set how long versions are kept',
    tag,
    access: writes,
    params,
    body: z.strictObject({
      name: workspaceName.optional(),
      archived: z.boolean().optional(),
      retentionDays: z.number().int().min(1).max(36_500).nullable().optional(),
    }),
    response: workspace,
  }),
  remove: route({
    method: 'delete',
    path: '/api/v1/workspaces/{id}',
    summary: 'Delete a workspace with all its versions',
    tag,
    access: { role: 'admin', scope: 'write' },
    params,
  }),
  ...workspaceFiles,
  ...workspaceVersions,
  ...workspaceTransfer,
  ...workspaceGit,
  ...workspaceTags,
  ...workspaceProposals,
}
