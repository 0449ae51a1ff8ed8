import { z } from 'zod'
import { filePath } from '../../runs/run.ts'
import { folderPath, sandboxFile } from '../../runs/sandbox.ts'
import { idOf } from '../../wire/id.ts'
import { route } from '../../wire/route.ts'
import { ended, look, params, tag, use } from './sandbox-terms.ts'

const workspaceCopy = z.strictObject({ workspaceId: idOf('workspace'), path: folderPath.default('') })
const copied = z.object({ files: z.number().int(), version: z.number().int() })

/** Files of a sandbox, and their way from and to a workspace. */
export const sandboxFiles = {
  listFiles: route({
    method: 'get',
    path: '/api/v1/sandboxes/{id}/files',
    summary: 'What is in a folder; of a sleeping sandbox, what was saved',
    tag,
    access: look,
    refusals: ended,
    params,
    query: z.object({ path: folderPath.default(''), recursive: z.enum(['true', 'false']).default('false') }),
    response: z.object({ items: z.array(sandboxFile) }),
  }),
  readFile: route({
    method: 'get',
    path: '/api/v1/sandboxes/{id}/files/{path}',
    summary: 'A file; one `Range` of bytes is honoured',
    otherAnswers: { 206: 'The part that `Range` asks for', 416: 'The file is shorter than what `Range` asks for' },
    tag,
    access: look,
    refusals: ended,
    params: params.extend({ path: filePath }),
    response: 'text',
  }),
  writeFile: route({
    method: 'put',
    path: '/api/v1/sandboxes/{id}/files/{path}',
    summary: 'Write a file; the body is its content, streamed, up to the disk limit',
    tag,
    access: use,
    params: params.extend({ path: filePath }),
    body: 'bytes',
    response: sandboxFile,
  }),
  removeFile: route({
    method: 'delete',
    path: '/api/v1/sandboxes/{id}/files/{path}',
    summary: 'Delete a file, or a folder with everything in it',
    tag,
    access: use,
    params: params.extend({ path: filePath }),
  }),
  makeFolder: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/folders',
    summary: 'Make a folder, and those above it',
    tag,
    access: use,
    params,
    idempotent: false,
    status: 201,
    body: z.strictObject({ path: filePath }),
    response: sandboxFile,
  }),
  move: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/move',
    summary: 'Move or rename a file or a folder',
    tag,
    access: use,
    params,
    idempotent: false,
    body: z.strictObject({ from: filePath, to: filePath }),
    response: sandboxFile,
  }),
  copyFromWorkspace: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/from-workspace',
    summary: 'Copy the files of a workspace, as they are now, into a folder of the sandbox',
    description:
      'With `since`, the version that was copied before, only what changed after it is copied, and what was deleted after it is deleted: files that cells have changed stay as they are.',
    tag,
    access: use,
    params,
    idempotent: false,
    body: workspaceCopy.extend({ since: z.number().int().min(0).optional() }),
    response: copied,
  }),
  copyToWorkspace: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/to-workspace',
    summary: 'Write the files of a folder of the sandbox into a workspace, as one version',
    tag,
    access: { role: 'editor', scope: 'write' },
    params,
    idempotent: false,
    body: workspaceCopy,
    response: copied,
  }),
  zip: route({
    method: 'get',
    path: '/api/v1/sandboxes/{id}/zip',
    summary: 'A folder as a zip',
    tag,
    access: look,
    refusals: ended,
    params,
    query: z.object({ path: folderPath.default('') }),
    response: 'text',
  }),
  watch: route({
    method: 'get',
    path: '/api/v1/sandboxes/{id}/changes',
    summary: 'Changes of files below a folder as a stream of events `file-change`',
    tag,
    access: use,
    refusals: ended,
    params,
    query: z.object({ path: folderPath.default('') }),
    response: 'text',
  }),
}
