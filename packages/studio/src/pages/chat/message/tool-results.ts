import type { Message } from '@coherex/contract'
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

function fieldsOf(data: unknown): Record<string, unknown> {
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
}
