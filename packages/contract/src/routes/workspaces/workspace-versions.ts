import { z } from 'zod'
import { pageOf, pageQuery } from '../../wire/page.ts'
import { route } from '../../wire/route.ts'
import { text } from '../../wire/text.ts'
import {
  changeResult,
  fileDiff,
  tagName,
  undoneChanges,
  workspaceFile,
  workspacePath,
  workspaceTag,
  workspaceVersion,
} from '../../workspaces/workspace.ts'
import { filePath, globs, message, number, params, reads, tag, writes } from './workspace-terms.ts'

const versionParams = params.extend({ number })

/** What a workspace was: its versions, and the way back to them. */
export const workspaceVersions = {
  listVersions: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/versions',
    summary: 'Versions, newest first: who, when, through which door, what',
    tag,
    access: reads,
    params,
    query: pageQuery.extend({
      path: filePath.optional().describe('Only versions that changed this file'),
      authorId: text().max(100).optional(),
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
      path: filePath.optional().describe('Only this file'),
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
  undoVersions: route({
    method: 'post',
    path: '/api/v1/workspaces/{id}/undo',
    summary: 'Take back what some versions changed, as a new version',
    description:
      'What others changed before, between and since is kept. A file in which others changed the same lines since stays as it is and is named in `kept`, with why.',
    tag,
    access: writes,
    params,
    body: z.strictObject({ versions: z.array(number).min(1).max(500), message }),
    response: undoneChanges,
  }),
}

/** Names of versions. */
export const workspaceTags = {
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
}
