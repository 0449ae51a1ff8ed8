import { createHash } from 'node:crypto'
import { CoherexError, type McpTool, type McpToolStatus } from '@coherex/contract'
import type { Tool } from '@modelcontextprotocol/client'
import { canonicalJson, storable } from '../../base/index.ts'
import { hasHidden, showHidden } from '../../registry/index.ts'
import { unifiedDiff } from '../../workspaces/index.ts'
import type { SchemaChecks } from '../schema/schema-checks.ts'
import type { JsonSchema } from '../schema/weigh-schema.ts'
import type { McpToolRow } from './mcp-tables.ts'

/** What a server says of a tool, as far as people and models are told of it. Its hash is of all of this. */
export interface ToldTool {
  name: string
  title?: string
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  annotations?: Record<string, unknown>
  /** The page that shows what it gives, and who may call it. */
  ui?: { resourceUri?: string; visibility?: string[] }
}

const longestName = 64
const longestDescription = 20_000

export function toTold(tool: Tool): ToldTool {
  const { name, title, description = '', inputSchema, outputSchema, annotations } = tool
  const ui = readUi(tool._meta)
  return storable({
    ...{ name, description, inputSchema: inputSchema as JsonSchema },
    ...(title !== undefined && { title }),
    ...(outputSchema !== undefined && { outputSchema: outputSchema as JsonSchema }),
    ...(annotations !== undefined && { annotations: annotations as Record<string, unknown> }),
    ...(ui && { ui }),
  }) as ToldTool
}

const uiAddress = /^ui:\/\/[\x21-\x7e]{1,500}$/

/** What the extension for views says of a tool; undefined where it says nothing that counts. */
function readUi(meta: Tool['_meta']): ToldTool['ui'] {
  const { ui } = (meta ?? {}) as { ui?: { resourceUri?: unknown; visibility?: unknown } }
  // the older of the two places
  const uri = ui?.resourceUri ?? meta?.['ui/resourceUri']
  const resourceUri = typeof uri === 'string' && uiAddress.test(uri) ? uri : undefined
  const visibility = Array.isArray(ui?.visibility)
    ? ['model', 'app'].filter((who) => (ui.visibility as unknown[]).includes(who))
    : undefined
  if (resourceUri === undefined && visibility === undefined) return undefined
  return { ...(resourceUri !== undefined && { resourceUri }), ...(visibility && { visibility }) }
}

/** Whether a tool is for models, or for views of the same server; both unless it says so. */
export function isFor(who: 'model' | 'app', { ui }: ToldTool): boolean {
  return ui?.visibility?.includes(who) ?? true
}

export function hashTold(told: ToldTool): string {
  return createHash('sha256').update(canonicalJson(told)).digest('hex')
}

/** What agents call it: apart from our tools and those of the team, and no longer than models take. */
export function offeredName(server: string, tool: string): string {
  const name = `mcp_${server}_${tool}`.replaceAll(/[^A-Za-z0-9]/g, '_')
  if (name.length <= longestName) return name
  const end = createHash('sha256').update(`${server}/${tool}`).digest('hex').slice(0, 6)
  return `${name.slice(0, longestName - end.length - 1)}_${end}`
}

/** Why nobody can approve a tool; null where they can. `taken` tells who has the name that agents would call it. */
export function findProblem(told: ToldTool, checks: SchemaChecks, taken: string | undefined): string | null {
  const { name, title = '', description, inputSchema, outputSchema } = told
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name)) return 'Its name has other characters than letters, digits, _, - and .'
  if (taken !== undefined) return `Agents would take it for ${taken}: its name must differ`
  if (description.length > longestDescription) return `Its description is longer than ${longestDescription} characters`
  for (const [what, text] of [
    ['title', title],
    ['description', description],
    ['schemas', JSON.stringify([inputSchema, outputSchema ?? null])],
  ] as const) {
    if (hasHidden(text)) return `Its ${what} has hidden characters: a model would read what people cannot see`
  }
  try {
    checks.admit(inputSchema)
    if (outputSchema !== undefined) checks.admit(outputSchema)
  } catch (error) {
    if (error instanceof CoherexError) return error.message
    throw error
  }
  return null
}

export function statusOf({ isGone, problem, hash, approvedHash }: McpToolRow): McpToolStatus {
  if (isGone) return 'gone'
  if (problem !== null) return 'refused'
  if (approvedHash === null) return 'new'
  return approvedHash === hash ? 'approved' : 'changed'
}

/** Agents ask a person before a tool whose server does not say that it only reads. */
export function isReadOnly({ annotations }: ToldTool): boolean {
  return annotations?.['readOnlyHint'] === true
}

export function toMcpTool(row: McpToolRow): McpTool {
  const { told, approved, approvedBy, approvedByName, approvedAt } = row
  const status = statusOf(row)
  const hasChanged = status === 'changed' || (status === 'refused' && approved !== null)
  return {
    ...{ name: showHidden(row.name), offeredAs: row.offeredAs, status, hash: row.hash, problem: row.problem },
    title: told.title === undefined ? null : showHidden(told.title),
    description: showHidden(told.description, { keepsTabs: true }),
    inputSchema: told.inputSchema,
    outputSchema: told.outputSchema ?? null,
    isReadOnly: isReadOnly(told),
    view: told.ui?.resourceUri ?? null,
    diff: hasChanged && approved ? diffTold(approved, told) : '',
    approvedBy: approvedBy === null ? null : { id: approvedBy, name: approvedByName ?? '' },
    approvedAt: approvedAt?.toISOString() ?? null,
  }
}

/** Of all tools together, in the order they are shown. */
export function hashShown(rows: readonly McpToolRow[]): string {
  const shown = rows.map((row) => [row.name, row.hash, statusOf(row)])
  return createHash('sha256').update(canonicalJson(shown)).digest('hex')
}

function diffTold(before: ToldTool, after: ToldTool): string {
  return unifiedDiff({ path: 'tool.json', before: toText(before), after: toText(after) })
}

/** Lines of a description are lines, so that a diff shows which of them changed. */
function toText({ description, ...rest }: ToldTool): string {
  return showHidden(`${description}\n\n${JSON.stringify(rest, null, 2)}\n`, { keepsTabs: true })
}
