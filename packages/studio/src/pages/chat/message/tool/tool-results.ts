import type { Message, MessagePart, RecordedChange } from '@coherex/contract'
import type { ToolOutput } from './tool-words.ts'

/** A definition as the builder shows it. */
export interface DefinitionDraft {
  source: string
  isValid: boolean
  /** The agent it was stored as. */
  saved?: string | undefined
  /** What that agent has in use stays until a person accepts this. */
  isProposed: boolean
}

export function readDraft(data: unknown): DefinitionDraft | undefined {
  const { source, isValid, saved, isProposed } = fieldsOf(data)
  if (typeof source !== 'string' || typeof isValid !== 'boolean') return undefined
  return { source, isValid, saved: typeof saved === 'string' ? saved : undefined, isProposed: isProposed === true }
}

export function readProposal(data: unknown): { proposalId: string; diff: string } | undefined {
  const { proposalId, diff } = fieldsOf(data)
  return typeof proposalId === 'string' && typeof diff === 'string' ? { proposalId, diff } : undefined
}

/** Whose view shows what a call gave: a name for it. */
export function readAppOwner(data: unknown): string | undefined {
  const { server, tool, name } = fieldsOf(fieldsOf(data)['app'])
  const named = typeof tool === 'string' && typeof server === 'string' ? `${tool} of ${server}` : name
  return typeof named === 'string' ? named : undefined
}

/** What a call did to a file. */
export function readChange(data: unknown): RecordedChange | undefined {
  const change = fieldsOf(fieldsOf(data)['change'])
  const { path, workspaceId, before, after } = change
  if (typeof path !== 'string' || typeof workspaceId !== 'string') return undefined
  return typeof before === 'number' && typeof after === 'number' ? (change as RecordedChange) : undefined
}

/** What the calls of a program did to files. */
export function readProgramChanges(data: unknown): RecordedChange[] {
  const { calls } = fieldsOf(data)
  return Array.isArray(calls) ? calls.flatMap((one) => readChange(one) ?? []) : []
}

/** Whether an answer changed files in a way that can be taken back. */
export function hasChanges(parts: readonly MessagePart[]): boolean {
  return parts.some((part) => {
    const { data } = fieldsOf(part['output'])
    const { changes } = fieldsOf(data)
    const ofShell = Array.isArray(changes) && changes.length > 0
    return ofShell || readChange(data) !== undefined || readProgramChanges(data).length > 0
  })
}

/** The newest definition in a conversation. */
export function latestDraft(messages: readonly Message[]): DefinitionDraft | undefined {
  for (const { parts } of messages.toReversed()) {
    for (const part of parts.toReversed()) {
      const draft = readDraft((part['output'] as ToolOutput | undefined)?.data)
      if (draft) return draft
    }
  }
  return undefined
}

export function fieldsOf(data: unknown): Record<string, unknown> {
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
}
