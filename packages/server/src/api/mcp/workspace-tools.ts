import { routes, type ChangeResult } from '@coherex/contract'
import { z } from 'zod'
import type { Workspaces } from '../../workspaces/index.ts'
import { defineTool, reads, told, toolShelf, writes } from './define-tool.ts'
import { readWhole, tellFile, toldFile } from './read-whole.ts'
import type { Shelf, Visit } from './shelf.ts'
import { toFileUri } from './workspace-resources.ts'

const workspaceId = routes.workspaces.get.params.shape.id.describe('Of list_workspaces')
const path = z.string().min(1).max(4096).describe('Relative to the workspace, such as src/main.py')
const mostFiles = 1000
const mostFound = 200
const changed = z.object({
  version: z.number(),
  proposalId: z
    .string()
    .optional()
    .describe('The change waits for a person, because somebody else changed the same lines'),
})

/** The files that people and agents edit together. A change is a version with the caller as its author. */
export function workspaceTools(workspaces: Workspaces): Shelf {
  const { files } = workspaces
  const nameOf = ({ caller }: Visit, id: string) => ({ teamId: caller.teamId, workspaceId: id })

  return toolShelf([
    defineTool({
      name: 'list_workspaces',
      title: 'List workspaces',
      description: 'Workspaces of the team: files that people and agents edit together',
      input: z.strictObject({ search: z.string().max(200).optional() }),
      output: z.object({ workspaces: z.array(z.object({ id: z.string(), name: z.string() })) }),
      access: reads,
      annotations: { readOnlyHint: true, openWorldHint: false },
      async run({ search }, { caller }) {
        const { items } = await workspaces.list(caller.teamId, { limit: 100, archived: false, search })
        return told({ workspaces: items.map(({ id, name }) => ({ id, name })) })
      },
    }),
    defineTool({
      name: 'list_files',
      title: 'List files of a workspace',
      description: 'Lists files of a workspace by a pattern with *, ** and ?',
      input: z.strictObject({ workspaceId, glob: z.string().min(1).max(200).default('**') }),
      output: z.object({
        version: z.number(),
        files: z.array(z.object({ path: z.string(), size: z.number() })),
        more: z.number().describe('Files that were left out'),
      }),
      access: reads,
      annotations: { readOnlyHint: true, openWorldHint: false },
      async run({ workspaceId: id, glob }, visit) {
        const { version, items } = await files.list(nameOf(visit, id), { globs: [glob] })
        const shown = items.slice(0, mostFiles).map((file) => ({ path: file.path, size: file.size }))
        return told({ version, files: shown, more: items.length - shown.length })
      },
    }),
    defineTool({
      name: 'read_file',
      title: 'Read a file of a workspace',
      description: 'Reads a file of a workspace: text as text, a picture as a picture, anything else as bytes',
      input: z.strictObject({ workspaceId, path }),
      output: toldFile,
      access: reads,
      annotations: { readOnlyHint: true, openWorldHint: false },
      async run({ workspaceId: id, path: at }, visit) {
        const { size, body } = await files.read(nameOf(visit, id), at)
        return tellFile(toFileUri(id, at), at, await readWhole({ path: at, size, body }))
      },
    }),
    defineTool({
      name: 'write_file',
      title: 'Write a file of a workspace',
      description: 'Writes a whole text file of a workspace as one version. Prefer edit_file for changes',
      input: z.strictObject({ workspaceId, path, content: z.string().max(1_000_000) }),
      output: changed,
      access: writes,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      async run({ workspaceId: id, path: at, content }, visit) {
        const bytes = [Buffer.from(content)]
        return toldChange(await files.write(nameOf(visit, id), { path: at, bytes, author: visit.author }))
      },
    }),
    defineTool({
      name: 'edit_file',
      title: 'Edit a file of a workspace',
      description: 'Replaces one piece of text in a file of a workspace; `search` must occur exactly once',
      input: z.strictObject({
        workspaceId,
        path,
        search: z.string().min(1).max(200_000),
        replace: z.string().max(500_000),
      }),
      output: changed,
      access: writes,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
      async run({ workspaceId: id, ...edit }, visit) {
        return toldChange(await files.edit(nameOf(visit, id), { ...edit, author: visit.author }))
      },
    }),
    defineTool({
      name: 'search_files',
      title: 'Search files of a workspace',
      description: 'Finds text in the files of a workspace, as it is written or as a regular expression (RE2)',
      input: z.strictObject({
        workspaceId,
        query: z.string().min(1).max(500),
        isRegex: z.boolean().default(false),
        glob: z.string().min(1).max(200).optional(),
      }),
      output: z.object({
        matches: z.array(z.object({ path: z.string(), line: z.number(), text: z.string() })),
        truncated: z.boolean(),
      }),
      access: reads,
      annotations: { readOnlyHint: true, openWorldHint: false },
      async run({ workspaceId: id, query, isRegex, glob }, visit) {
        const found = await files.search(nameOf(visit, id), {
          ...{ pattern: query, isRegex, matchCase: false, most: mostFound },
          ...(glob === undefined ? {} : { globs: [glob] }),
        })
        const matches = found.items.map(({ path: at, line, text }) => ({ path: at, line, text }))
        return told({ matches, truncated: found.truncated })
      },
    }),
  ])
}

function toldChange({ version, proposal }: ChangeResult) {
  return told({ version, ...(proposal && { proposalId: proposal.id }) })
}
