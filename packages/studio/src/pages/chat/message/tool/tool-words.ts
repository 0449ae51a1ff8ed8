import type { MessagePart, RunError } from '@coherex/contract'
import { visibleText } from '../../../../words/visible-text.ts'
import { codeSubject } from '../code-subject.ts'

/** What a call gave, as the server's tools write it. */
export interface ToolOutput {
  text: string
  displays?: Record<string, unknown>[]
  runId?: string
  error?: Pick<RunError, 'message' | 'line' | 'summary' | 'fixes'>
  data?: unknown
}

export type ToolState = 'working' | 'waiting' | 'done' | 'failed' | 'stopped'

export function isToolPart({ type }: MessagePart): boolean {
  return type.startsWith('tool-') || type === 'dynamic-tool'
}

export function toolNameOf(part: MessagePart): string {
  return part.type === 'dynamic-tool' ? String(part['toolName']) : part.type.slice('tool-'.length)
}

export function toolState(part: MessagePart, isLive: boolean): ToolState {
  if (part['state'] === 'output-error' || part['state'] === 'output-denied') return 'failed'
  if (part['state'] === 'output-available' && part['preliminary'] !== true) {
    return (part['output'] as ToolOutput | undefined)?.error ? 'failed' : 'done'
  }
  if (isLive && part['state'] === 'approval-requested') return 'waiting'
  return isLive ? 'working' : 'stopped'
}

const titles: Record<string, string> = {
  run_code: 'Run code',
  run_program: 'Run program',
  fetch_url: 'Fetch',
  draft_definition: 'Draft the definition',
  save_agent: 'Save the agent',
  describe_definitions: 'Read how to define agents',
}

/** `read_file` → `Read file`; `ask_reviewer` → `Ask reviewer`. */
export function titleOf(part: MessagePart): string {
  const name = toolNameOf(part)
  const words = name.replaceAll('_', ' ')
  return titles[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

const isProgram = (field: string) => field === 'code' || field === 'command'

/** The argument that says most, on one line. */
export function hintOf(part: MessagePart): string {
  const input = part['input']
  if (typeof input !== 'object' || input === null) return ''
  const fields = input as Record<string, unknown>
  for (const name of ['path', 'from', 'command', 'url', 'query', 'glob', 'code', 'question', 'message', 'text']) {
    const value = fields[name]
    if (typeof value !== 'string') continue
    const line = isProgram(name) ? codeSubject(value) : (value.trim().split('\n', 1)[0] ?? '')
    return visibleText(line.slice(0, 200))
  }
  return ''
}
