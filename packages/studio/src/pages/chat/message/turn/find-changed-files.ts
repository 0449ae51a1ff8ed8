import type { MessagePart } from '@coherex/contract'
import { toolNameOf, type ToolOutput } from '../tool/tool-words.ts'

interface Call {
  tool: string
  input: unknown
}

/** Files of the workspace that an answer wrote, as they are called now, in the order they were first written. */
export function findChangedFiles(parts: readonly MessagePart[]): string[] {
  const paths = new Set<string>()
  for (const { tool, input } of parts.flatMap(callsOf)) {
    const { path, from, to } = (input ?? {}) as Record<string, unknown>
    if (tool === 'delete_file') paths.delete(String(path))
    if (tool === 'move_file') paths.delete(String(from))
    if (tool === 'move_file') paths.add(String(to))
    if (tool === 'write_file' || tool === 'edit_file') paths.add(String(path))
  }
  return [...paths]
}

/** What was done: not what failed, nor what waits as a proposal. */
function callsOf(part: MessagePart): Call[] {
  if (part['state'] !== 'output-available' || part['preliminary'] === true) return []
  const { data } = (part['output'] ?? {}) as ToolOutput
  const { proposalId, calls } = (data ?? {}) as { proposalId?: unknown; calls?: unknown }
  if (proposalId !== undefined) return []
  // a program says what it called
  if (Array.isArray(calls)) return (calls as (Call & { outcome: string })[]).filter(({ outcome }) => outcome === 'done')
  return [{ tool: toolNameOf(part), input: part['input'] }]
}
