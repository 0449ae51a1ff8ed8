// as the server's `shownInput` has it: controls, invisible format characters, spaces that are none, fillers
const hidden =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00A0\u2000-\u200A\u202F\u205F\u3000]/gu

/** Arguments as JSON to be changed. What cannot be seen stands as an escape, so that nobody approves it unseen. */
export function writeArguments(input: unknown): string {
  return JSON.stringify(input, null, 2).replace(hidden, (character) =>
    character === '\n' ? '\n' : toEscape(character),
  )
}

/** Beyond the first plane JSON has an escape for each of the two halves. */
function toEscape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const number = character.charCodeAt(index).toString(16).padStart(4, '0')
    return `\\u${number}`
  }).join('')
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
    return { problem: `This is no JSON: ${(error as Error).message}` }
  }
}
