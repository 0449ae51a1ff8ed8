import type { RecordedChange } from '@coherex/contract'
import { isToolUIPart, type UIMessage } from 'ai'
import type { ToolOutput } from './tool.ts'

/** What file tools leave in their output beside words: what they read or changed, by version. */
export interface FileTrace {
  read?: { path: string; version: number }
  change?: RecordedChange
}

/**
 * The version at which an answer last knew a file, from the calls it made so far. A turn that rested is taken up by tools
 * that remember nothing.
 */
export function findReadVersion(parts: UIMessage['parts'], path: string): number | undefined {
  for (const part of parts.filter(isToolUIPart).toReversed()) {
    if (part.state !== 'output-available' || part.preliminary) continue
    const { read, change } = ((part.output as ToolOutput | undefined)?.data ?? {}) as FileTrace
    if (read?.path === path) return read.version
    if (change?.path === path) return change.after
  }
  return undefined
}
