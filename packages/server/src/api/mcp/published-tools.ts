import { appMediaType, CoherexError } from '@coherex/contract'
import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import { readText, type CallableTool, type Registry } from '../../registry/index.ts'
import type { Runs } from '../../runs/index.ts'
import type { Tools } from '../../tools/index.ts'
import { runsCode } from './define-tool.ts'
import { sayOutput } from './follow-run.ts'
import { toObjectSchema } from './object-schema.ts'
import type { Shelf, ShelfTool, ToolVisit } from './shelf.ts'
import { imagesOf, metaOf, mostStructuredBytes, tellRun, toTextBlock } from './tell-run.ts'

export interface PublishedToolsDeps {
  registry: Pick<Registry, 'tools'>
  tools: Pick<Tools, 'call'>
  runs: Runs
}

const perPage = 100

/** Every tool that the team has published, in the version that is published now. */
export function publishedTools({ registry, tools, runs }: PublishedToolsDeps): Shelf {
  const toShelfTool = (tool: CallableTool): ShelfTool => ({
    tool: describeTool(tool),
    access: runsCode,
    call: (input, visit) => callTool(tool, input, visit),
  })

  async function callTool(
    { name, version, input, output: schema }: CallableTool,
    given: Record<string, unknown>,
    visit: ToolVisit,
  ): Promise<CallToolResult> {
    let said: Promise<void> | undefined
    const { output, run } = await tools.call(
      visit.caller,
      { name, version, input: toObjectSchema(input, 'input').unwrap(given) },
      {
        signal: visit.signal,
        onStart: (runId) => (said = sayOutput(runs, runId, visit)),
      },
    )
    await said
    if (run.status !== 'succeeded') return tellRun(run)
    const text = JSON.stringify(output)
    if (Buffer.byteLength(text) > mostStructuredBytes) {
      const why = `The output is larger than ${mostStructuredBytes / 1_000_000} MB: the run ${run.id} has all of it`
      return { content: [toTextBlock(why)], isError: true, _meta: metaOf(run) }
    }
    const structured = isTyped(schema)
      ? { structuredContent: toObjectSchema(schema, 'output').wrap(output) }
      : undefined
    return { content: [toTextBlock(text), ...imagesOf(run)], ...structured, _meta: metaOf(run) }
  }

  return {
    async tools({ caller }, cursor) {
      const page = await registry.tools.callable(caller.teamId, { limit: perPage, cursor })
      return { items: page.items.map(toShelfTool), next: page.nextCursor ?? undefined }
    },
    async findTool({ caller }, name) {
      const found = await registry.tools.findCallable(caller.teamId, name)
      return found && toShelfTool(found)
    },
    // clients find views by the tools that name them, so they are in no list
    async readResource({ caller }, uri) {
      const [, name, version] = viewAddress.exec(uri) ?? []
      if (name === undefined) return undefined
      const found = await registry.tools.find(caller.teamId, name, Number(version)).catch((error: unknown) => {
        if (error instanceof CoherexError) return undefined
        throw error
      })
      const { ui } = found?.content.definition ?? {}
      const page = ui === undefined ? undefined : found?.content.files.get(ui)
      const text = page && readText(page)
      // it loads nothing from anywhere: what it needs is in the page
      const meta = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } }
      return text === undefined ? undefined : { contents: [{ uri, mimeType: appMediaType, text, _meta: meta }] }
    },
  }
}

const viewAddress = /^ui:\/\/coherex\/tools\/([a-z0-9-]{1,100})\/(\d{1,6})$/

function describeTool({ name, version, description, deprecation, input, output, ui }: CallableTool): Tool {
  return {
    name,
    description: deprecation === null ? description : `${description} (deprecated: ${deprecation})`,
    inputSchema: toObjectSchema(input, 'input').schema as Tool['inputSchema'],
    ...(isTyped(output) ? { outputSchema: toObjectSchema(output, 'output').schema as Tool['outputSchema'] } : {}),
    // what code does is known to its author alone: clients are to expect everything
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    _meta: {
      'coherex/version': version,
      ...(ui !== null && { ui: { resourceUri: `ui://coherex/tools/${name}/${version}` } }),
    },
  }
}

/** Whether a schema says anything. */
function isTyped(schema: CallableTool['output']): boolean {
  if (schema === false) throw new CoherexError('internal', 'A tool was published whose output fits nothing')
  return typeof schema === 'object' && Object.keys(schema).length > 0
}
