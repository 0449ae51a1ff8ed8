import { z } from 'zod'
import { idOf } from '../id.ts'
import { pageOf, pageQuery } from '../page.ts'
import { route } from '../route.ts'
import { gitBranch, gitClone, gitImport, gitPlace, gitPush, gitRemote } from '../workspace-git.ts'
import {
  changeResult,
  fileDiff,
  proposal,
  removedFile,
  tagName,
  textMatch,
  wholeText,
  workspace,
  workspaceFile,
  workspaceLimits,
  workspaceName,
  workspacePath,
  workspaceTag,
  workspaceTemplate,
  workspaceVersion,
  writtenFile,
} from '../workspace.ts'

const tag = 'Workspaces'
const reads = { role: 'viewer', scope: 'read' } as const
const writes = { role: 'editor', scope: 'write' } as const
const params = z.object({ id: idOf('workspace') })
const filePath = z.string().min(1).max(4096)
const fileParams = params.extend({ path: filePath })
const number = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const versionParams = params.extend({ number })
const globs = z.string().max(2000).optional().describe('Patterns with `*`, `**` and `?`, separated by commas')
// PostgreSQL keeps no NUL
const line = z.string().regex(/^[^\u0000]+$/, 'must not be empty or contain NUL')
const message = line.max(500).optional()
const agent = line.max(80).optional()

/** How a change is to be taken; in the body of a POST, in the query of a PUT or DELETE. */
const changeOptions = {
  message,
  expectedVersion: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Refuse with `conflict` when the file has changed since this version; 0: when it exists'),
  readVersion: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The version the change was made from: what others changed since is merged'),
  agent: agent.describe(
    'The name of the agent that makes the change. Where it touches lines that a person changed since `readVersion`, it becomes a proposal',
  ),
}
const changeQuery = { ...changeOptions, expectedVersion: number.optional(), readVersion: number.optional() }
const conditions =
  'With `If-Match` and the `ETag` that was read, or `If-None-Match: *`, it is refused with `conflict` when the file is another, or is there.'
const gitRules =
  'Requests go to the host of the address and nowhere else. A secret may be used with a host once an admin has done so.'

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
  list: route({
    method: 'get',
    path: '/api/v1/workspaces',
    summary: 'Workspaces of the team, those made last first',
    tag,
    access: reads,
    query: pageQuery.extend({
      archived: z.enum(['true', 'false']).default('false'),
      search: z.string().max(100).optional().describe('Part of the name'),
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

  listFiles: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/files',
    summary: 'Every file of a workspace, as it is now or was at a version',
    tag,
    access: reads,
    params,
    query: z.object({ globs, version: number.optional() }),
    response: z.object({ version: z.number().int(), items: z.array(workspaceFile) }),
  }),
  readFile: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/files/{path}',
    summary: 'The bytes of a file, as it is now or was at a version',
    description:
      'The header `x-coherex-version` says which version was read, for `expectedVersion` and `readVersion`; `ETag` is the SHA-256 of the bytes, for `If-Match`.',
    tag,
    access: reads,
    params: fileParams,
    query: z.object({ version: number.optional() }),
    response: 'text',
  }),
  writeFile: route({
    method: 'put',
    path: '/api/v1/workspaces/{id}/files/{path}',
    summary: 'Write a file: the body is its bytes',
    description: `Text becomes the smallest edits that lead to it, so that what others type meanwhile survives. Texts over 1 MB and what is no UTF-8 are kept as blobs. ${conditions}`,
    tag,
    access: writes,
    params: fileParams,
    query: z.object(changeQuery),
    body: 'bytes',
    response: changeResult,
  }),
  removeFile: route({
    method: 'delete',
    path: '/api/v1/workspaces/{id}/files/{path}',
    summary: 'Delete a file, or a folder with all that is in it',
    description: conditions,
    tag,
    access: writes,
    params: fileParams,
    query: z.object(changeQuery),
    response: changeResult,
  }),
  changeFiles: route({
    method: 'post',
    path: '/api/v1/workspaces/{id}/changes',
    summary: 'Write and delete several files as one version, or none of them',
    description:
      'Each file may say `expectedVersion` or `readVersion`, as a single write does. Those that are refused are all named in `details.conflicts`. The body has at most 10 MB.',
    tag,
    access: writes,
    params,
    body: z.strictObject({
      write: z.array(writtenFile).max(workspaceLimits.files).default([]),
      remove: z.array(removedFile).max(workspaceLimits.files).default([]),
      message,
    }),
    response: changeResult,
  }),
  edit: route({
    method: 'post',
    path: '/api/v1/workspaces/{id}/edit',
    summary: 'Replace a piece of text that occurs exactly once in a file',
    tag,
    access: writes,
    params,
    body: z.strictObject({
      path: workspacePath,
      search: z.string().min(1).max(1_000_000),
      // with a NUL in it a file is no text
      replace: wholeText.max(1_000_000).regex(/^[^\u0000]*$/, 'must not contain NUL'),
      ...changeOptions,
    }),
    response: changeResult,
  }),
  move: route({
    method: 'post',
    path: '/api/v1/workspaces/{id}/move',
    summary: 'Move or rename a file or a folder; what others type in it moves along',
    tag,
    access: writes,
    params,
    body: z.strictObject({
      from: workspacePath,
      to: workspacePath,
      message,
      expectedVersion: changeOptions.expectedVersion,
      agent,
    }),
    response: changeResult,
  }),
  search: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/search',
    summary: 'Find text in the files; regular expressions in RE2’s syntax',
    tag,
    access: reads,
    params,
    query: z.object({
      pattern: z.string().min(1).max(1000),
      regex: z.enum(['true', 'false']).default('false'),
      matchCase: z.enum(['true', 'false']).default('false'),
      globs,
      most: z.coerce.number().int().min(1).max(1000).default(200),
    }),
    response: z.object({ items: z.array(textMatch), truncated: z.boolean() }),
  }),

  listVersions: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/versions',
    summary: 'Versions, newest first: who, when, through which door, what',
    tag,
    access: reads,
    params,
    query: pageQuery.extend({
      path: filePath.optional().describe('Only versions that changed this file'),
      authorId: z.string().max(100).optional(),
    }),
    response: pageOf(workspaceVersion),
  }),
  makeVersion: route({
    method: 'post',
    path: '/api/v1/workspaces/{id}/versions',
    summary: 'Make a version of what was typed so far, without waiting for a pause',
    tag,
    access: writes,
    params,
    body: z.strictObject({ message }),
    response: workspaceVersion,
  }),
  getVersion: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/versions/{number}',
    summary: 'One version',
    tag,
    access: reads,
    params: versionParams,
    response: workspaceVersion,
  }),
  versionFiles: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/versions/{number}/files',
    summary: 'Every file as it was at a version',
    tag,
    access: reads,
    params: versionParams,
    query: z.object({ globs }),
    response: z.object({ version: z.number().int(), items: z.array(workspaceFile) }),
  }),
  versionFile: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/versions/{number}/files/{path}',
    summary: 'The bytes of a file as it was at a version',
    tag,
    access: reads,
    params: versionParams.extend({ path: filePath }),
    response: 'text',
  }),
  diff: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/diff',
    summary: 'What differs between two versions, as a unified diff for each file',
    tag,
    access: reads,
    params,
    query: z.object({
      from: number,
      to: number.optional().describe('The last version when left out'),
      globs,
    }),
    response: z.object({ from: z.number().int(), to: z.number().int(), items: z.array(fileDiff) }),
  }),
  restore: route({
    method: 'post',
    path: '/api/v1/workspaces/{id}/versions/{number}/restore',
    summary: 'Make files what they were at a version, as a new version; what came later stays in the history',
    tag,
    access: writes,
    params: versionParams,
    body: z.strictObject({ paths: z.array(workspacePath).min(1).max(1000).optional(), message }),
    response: changeResult,
  }),

  zip: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/zip',
    summary: 'All files as a zip, as they are now or were at a version',
    tag,
    access: reads,
    params,
    query: z.object({ version: number.optional() }),
    response: 'text',
  }),
  importZip: route({
    method: 'post',
    path: '/api/v1/workspaces/{id}/zip',
    summary: 'Write the files of a zip, as one version: the body is the archive',
    description:
      'At most 100 MB, packed and unpacked. An archive with a path that would climb out, or one that is cut short, is refused as a whole.',
    tag,
    access: writes,
    params,
    query: z.object({ message, folder: filePath.optional().describe('Where the files go; the root unless said') }),
    body: 'bytes',
    idempotent: false,
    response: changeResult.extend({ files: z.number().int() }),
  }),

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

  listTags: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/tags',
    summary: 'Named versions',
    tag,
    access: reads,
    params,
    query: pageQuery,
    response: pageOf(workspaceTag),
  }),
  putTag: route({
    method: 'put',
    path: '/api/v1/workspaces/{id}/tags/{name}',
    summary: 'Name a version, or move a name to another',
    tag,
    access: writes,
    params: params.extend({ name: tagName }),
    body: z.strictObject({ version: z.number().int().min(1) }),
    response: workspaceTag,
  }),
  removeTag: route({
    method: 'delete',
    path: '/api/v1/workspaces/{id}/tags/{name}',
    summary: 'Take a name away; the version stays',
    tag,
    access: writes,
    params: params.extend({ name: tagName }),
  }),

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
