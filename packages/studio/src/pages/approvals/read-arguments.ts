import { visibleText } from '../../words/visible-text.ts'

/** Arguments as JSON to be changed. What cannot be seen stands as an escape, so that nobody approves it unseen. */
export function writeArguments(input: unknown): string {
  return visibleText(JSON.stringify(input, null, 2))
}

/** Arguments that a person typed; what they cannot be is told in words. */
export function readArguments(text: string): { input?: Record<string, unknown>; problem?: string } {
  try {
    const input: unknown = JSON.parse(text)
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      return { problem: 'Arguments are a JSON object, such as { "path": "notes.md" }' }
    }
    return { input: input as Record<string, unknown> }
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message}` }
  }
}
