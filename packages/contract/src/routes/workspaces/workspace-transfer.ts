import { z } from 'zod'
import { route } from '../../wire/route.ts'
import { changeResult } from '../../workspaces/workspace.ts'
import { filePath, message, number, params, reads, tag, writes } from './workspace-terms.ts'

/** All files of a workspace at once. */
export const workspaceTransfer = {
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
}
