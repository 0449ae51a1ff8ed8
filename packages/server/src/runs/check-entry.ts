import { CoherexError, languageFacts, type RunRequest } from '@coherex/contract'

/** Throws when a request without code names an entry that is none of its files: nothing would run, and it would look well. */
export function checkEntry({ language, code, entry, files = {}, workspaceId }: RunRequest): void {
  // a workspace looks for it among its own files; the language's own name is that of the code
  if (code !== '' || workspaceId !== undefined || entry === undefined) return
  if (entry === languageFacts[language].entry || Object.hasOwn(files, entry)) return
  const message = `there is no code, and "${entry.slice(0, 100)}" is none of the files`
  throw new CoherexError('invalid_input', `entry: ${message}`, { details: [{ field: 'entry', message }] })
}
