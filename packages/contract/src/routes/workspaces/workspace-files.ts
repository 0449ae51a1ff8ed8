import { z } from 'zod'
import { route } from '../../wire/route.ts'
import { text } from '../../wire/text.ts'
import {
  changeResult,
  removedFile,
  replacedFile,
  textMatch,
  workspaceFile,
  workspaceLimits,
  workspacePath,
  writtenFile,
} from '../../workspaces/workspace.ts'
import { filePath, globs, line, message, number, params, reads, tag, writes } from './workspace-terms.ts'

const fileParams = params.extend({ path: filePath })
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

/** Files of a workspace: read, written, moved and searched. */
export const workspaceFiles = {
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
      search: text().min(1).max(1_000_000),
      replace: text().max(1_000_000),
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
      pattern: text().min(1).max(1000),
      regex: z.enum(['true', 'false']).default('false'),
      matchCase: z.enum(['true', 'false']).default('false'),
      globs,
      most: z.coerce.number().int().min(1).max(1000).default(200),
    }),
    response: z.object({ items: z.array(textMatch), truncated: z.boolean() }),
  }),
  replace: route({
    method: 'post',
    path: '/api/v1/workspaces/{id}/replace',
    summary: 'Replace text in the files as one version; regular expressions in RE2’s syntax',
    description:
      'With `regex` the replacement may name groups: `$1` to `$99`, `$0` or `$&` for all that was found, `$$` for a dollar. With `preview` nothing is changed. `only` is the place of one match, as a search answers it. What others change meanwhile is kept.',
    tag,
    access: writes,
    params,
    body: z.strictObject({
      pattern: text().min(1).max(1000),
      regex: z.boolean().default(false),
      matchCase: z.boolean().default(false),
      globs,
      replacement: text().max(1000),
      only: z
        .strictObject({ path: workspacePath, line: z.number().int().min(1), column: z.number().int().min(1) })
        .optional(),
      preview: z.boolean().default(false),
    }),
    response: z.object({
      /** The workspace's version after it. */
      version: z.number().int(),
      items: z.array(replacedFile),
    }),
  }),
}
