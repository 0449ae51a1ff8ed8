import { CoherexError, languageFacts, type RunRequest } from '@coherex/contract'

/** Throws when it is not certain what is to run: one of two texts, or nothing, which would look well. */
export function checkEntry({ language, code, entry, files = {}, workspaceId, sandboxId }: RunRequest): void {
  const name = entry ?? languageFacts[language].entry
  const given = Object.hasOwn(files, name) ? files[name] : undefined
  // what a cell is given are files of its sandbox, whatever they are called
  if (code !== '' && given !== undefined && given !== code && sandboxId === undefined) {
    throw refusal(`files.${name}`, 'is the entry, whose text is in "code": leave one of the two out')
  }
  // a workspace looks for it among its own files; the language's own name is that of the code
  if (code !== '' || workspaceId !== undefined || entry === undefined) return
  if (entry === languageFacts[language].entry || given !== undefined) return
  throw refusal('entry', `there is no code, and "${entry.slice(0, 100)}" is none of the files`)
}

function refusal(field: string, message: string): CoherexError {
  return new CoherexError('invalid_input', `${field}: ${message}`, { details: [{ field, message }] })
}
