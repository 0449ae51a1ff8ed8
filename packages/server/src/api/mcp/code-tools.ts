import { languages, requirements, routes, type RunRequest } from '@coherex/contract'
import { z } from 'zod'
import { copyFromWorkspace, type Runs, type SandboxFileVerbs, type Sandboxes } from '../../runs/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'
import { defineTool, reads, runsCode, told, toolShelf } from './define-tool.ts'
import { awaitRun } from './follow-run.ts'
import { readWhole, tellFile, toldFile } from './read-whole.ts'
import type { Shelf, ToolVisit } from './shelf.ts'
import { tellCode, toldCode } from './tell-run.ts'

export interface CodeToolsDeps {
  runs: Runs
  sandboxes: Sandboxes
  sandboxFiles: SandboxFileVerbs
  workspaces: Workspaces
}

const { sandboxes: of } = routes
const given = routes.runs.create.body.shape
const language = z.enum(languages)
const code = z.string().min(1).max(500_000)
const timeoutSeconds = z.number().int().min(1).max(300).optional()
const sandboxId = of.get.params.shape.id.describe('Of create_sandbox or list_sandboxes')
const filePath = of.writeFile.params.shape.path
const workspaceId = routes.workspaces.get.params.shape.id
const mostFiles = 1000

/** Code once, and code in sandboxes that live on. */
export function codeTools(deps: CodeToolsDeps): Shelf {
  const { runs, sandboxes, sandboxFiles } = deps

  async function run(request: RunRequest, visit: ToolVisit) {
    const live = await runs.start(visit.caller, request)
    return tellCode(await awaitRun(runs, visit.caller, { live, visit }))
  }

  return toolShelf([
    defineTool({
      name: 'run_code',
      title: 'Run code',
      description:
        'Runs code once in a fresh sandbox and gives what it printed, its pictures and its result: the value of the last expression, or of the default export called with (env, input). Nothing stays afterwards; for that make a sandbox.',
      input: z.strictObject({
        language,
        code,
        input: z.json().optional().describe('What the default export, or main, is called with'),
        stdin: z.string().max(1_000_000).optional(),
        packages: requirements.optional().describe('Of PyPI or npm, such as "polars>=1"'),
        files: given.files.describe('Files beside the code, by their paths'),
        network: given.network.describe('URL prefixes that it may reach; none unless said'),
        workspaceId: workspaceId.optional().describe('Runs with the files of this workspace'),
        timeoutSeconds,
      }),
      output: toldCode,
      access: runsCode,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      run: ({ timeoutSeconds: seconds, ...request }, visit) => run({ ...request, ...limitsOf(seconds) }, visit),
    }),
    defineTool({
      name: 'create_sandbox',
      title: 'Create a sandbox',
      description: 'Makes a sandbox that lives on: variables, files and packages stay from one cell to the next',
      input: of.create.body.pick({ name: true, language: true, template: true, packages: true, workspaceId: true }),
      output: z.object({ sandboxId: z.string(), name: z.string() }),
      access: runsCode,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
      async run({ workspaceId: from, ...request }, { caller }) {
        if (from !== undefined) await deps.workspaces.get(caller.teamId, from)
        const { id, name } = await sandboxes.create(caller, request, { workspaceId: from })
        if (from !== undefined) await copyFromWorkspace(deps, caller, { id, workspaceId: from, path: '' })
        return told({ sandboxId: id, name })
      },
    }),
    defineTool({
      name: 'list_sandboxes',
      title: 'List sandboxes',
      description: 'Sandboxes of the team, newest first',
      input: z.strictObject({}),
      output: z.object({ sandboxes: z.array(z.object({ id: z.string(), name: z.string(), status: z.string() })) }),
      access: reads,
      annotations: { readOnlyHint: true, openWorldHint: false },
      async run(_input, { caller }) {
        const { items } = await sandboxes.list(caller.teamId, { limit: 100 })
        return told({ sandboxes: items.map(({ id, name, status }) => ({ id, name, status })) })
      },
    }),
    defineTool({
      name: 'run_cell',
      title: 'Run a cell in a sandbox',
      description: 'Runs code in a sandbox where earlier cells left their variables and files',
      input: z.strictObject({
        sandboxId,
        language,
        code,
        context: given.context,
        timeoutSeconds,
      }),
      output: toldCode,
      access: runsCode,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      run: ({ timeoutSeconds: seconds, ...request }, visit) => run({ ...request, ...limitsOf(seconds) }, visit),
    }),
    defineTool({
      name: 'interrupt_sandbox',
      title: 'Interrupt a sandbox',
      description: 'Ends the cells that run in a sandbox. Variables and files stay',
      input: z.strictObject({ sandboxId }),
      output: z.object({ interrupted: z.boolean() }),
      access: runsCode,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      async run({ sandboxId: id }, { caller }) {
        return told({ interrupted: await sandboxes.interrupt(caller.teamId, id) })
      },
    }),
    defineTool({
      name: 'remove_sandbox',
      title: 'Remove a sandbox',
      description: 'Removes a sandbox with its variables and files',
      input: z.strictObject({ sandboxId }),
      output: z.object({ removed: z.string() }),
      access: runsCode,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      async run({ sandboxId: id }, { caller }) {
        await sandboxes.remove(caller, id)
        return told({ removed: id })
      },
    }),
    defineTool({
      name: 'list_sandbox_files',
      title: 'List files of a sandbox',
      description: 'Lists a folder of a sandbox; its home directory unless named',
      input: z.strictObject({ sandboxId, path: z.union([z.literal(''), filePath]).default('') }),
      output: z.object({
        files: z.array(z.object({ path: z.string(), type: z.string(), size: z.number() })),
        more: z.number().describe('Files that were left out'),
      }),
      access: reads,
      annotations: { readOnlyHint: true, openWorldHint: false },
      async run({ sandboxId: id, path }, { caller }) {
        const all = await sandboxFiles.list(caller.teamId, id, path, { recursive: false })
        const files = all.slice(0, mostFiles).map(({ path: at, type, size }) => ({ path: at, type, size }))
        return told({ files, more: all.length - files.length })
      },
    }),
    defineTool({
      name: 'read_sandbox_file',
      title: 'Read a file of a sandbox',
      description: 'Reads a file of a sandbox: text as text, a picture as a picture, anything else as bytes',
      input: z.strictObject({ sandboxId, path: filePath }),
      output: toldFile,
      access: reads,
      annotations: { readOnlyHint: true, openWorldHint: false },
      async run({ sandboxId: id, path }, { caller }) {
        const { size, body } = await sandboxFiles.read(caller.teamId, id, path)
        const bytes = await readWhole({ path, size, body })
        return tellFile(`coherex://sandboxes/${id}/files/${encodeURI(path)}`, path, bytes)
      },
    }),
    defineTool({
      name: 'write_sandbox_file',
      title: 'Write a file of a sandbox',
      description: 'Writes a text file of a sandbox, in place of one that is there',
      input: z.strictObject({ sandboxId, path: filePath, content: z.string().max(1_000_000) }),
      output: z.object({ path: z.string(), size: z.number() }),
      access: runsCode,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      async run({ sandboxId: id, path, content }, { caller }) {
        const written = await sandboxFiles.write(caller.teamId, id, path, chunksOf(content))
        return told({ path: written.path, size: written.size })
      },
    }),
  ])
}

function limitsOf(seconds: number | undefined): Pick<RunRequest, 'limits'> {
  return seconds === undefined ? {} : { limits: { timeoutMs: seconds * 1000 } }
}

async function* chunksOf(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content)
}
