import { z } from 'zod'
import { route } from '../../wire/route.ts'
import { gitBranch, gitClone, gitImport, gitPlace, gitPush, gitRemote } from '../../workspaces/workspace-git.ts'
import { workspaceName } from '../../workspaces/workspace.ts'
import { message, params, reads, tag, writes } from './workspace-terms.ts'

const gitRules =
  'Requests go to the host of the address and nowhere else. A secret may be used with a host once an admin has done so.'

/** A workspace and repositories elsewhere. */
export const workspaceGit = {
  cloneGit: route({
    method: 'post',
    path: '/api/v1/workspaces/clone',
    summary: 'Make a workspace from the last commit of a git repository',
    description: gitRules,
    tag,
    access: writes,
    status: 201,
    body: gitPlace.extend({
      name: workspaceName.optional().describe('That of the repository unless said'),
      branch: gitBranch.optional().describe('A branch or a tag; the default branch unless said'),
    }),
    response: gitClone,
  }),
  importGit: route({
    method: 'post',
    path: '/api/v1/workspaces/{id}/git/import',
    summary: 'Bring the last commit of a git repository into a workspace, as one version',
    description: `What changed there since the last import from or push to the same branch is merged with what changed here. ${gitRules}`,
    tag,
    access: writes,
    params,
    body: gitPlace.extend({
      branch: gitBranch.optional().describe('A branch or a tag; the default branch unless said'),
      conflicts: z
        .enum(['refuse', 'theirs'])
        .default('refuse')
        .describe('What to do where both sides changed the same lines'),
      message,
    }),
    response: gitImport,
  }),
  pushGit: route({
    method: 'post',
    path: '/api/v1/workspaces/{id}/git/push',
    summary: 'Push versions to a branch of a git repository, as commits',
    description: `Each version since the last push or import becomes a commit; of more than 200 the older ones are one commit together. Never forced: when the branch has moved on, it is a \`conflict\`. ${gitRules}`,
    tag,
    access: writes,
    params,
    body: gitPlace.extend({ branch: gitBranch }),
    response: gitPush,
  }),
  gitRemotes: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/git',
    summary: 'Branches that a workspace was brought from or pushed to, the last used first',
    tag,
    access: reads,
    params,
    response: z.object({ items: z.array(gitRemote) }),
  }),
}
