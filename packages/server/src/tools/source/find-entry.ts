import { CoherexError, languageOfFile, type Language } from '@coherex/contract'

const stems = ['main', 'tool', 'index']

/** The file of a folder that is run: the one that is called so, or the only code there is. */
export function findEntry(paths: readonly string[], folder: string): { entry: string; language: Language } {
  const code = paths.flatMap((entry) => {
    const language = languageOfFile(entry)
    return language ? [{ entry, language }] : []
  })
  const named = stems.map((stem) => code.filter(({ entry }) => entry.replace(/\.[^./]*$/, '') === stem))
  const [only, another] = named.find((found) => found.length > 0) ?? code
  if (only && !another) return only
  const which = another ? `${code.length} files could be the one that is run` : 'no file of it is code'
  throw new CoherexError(
    'invalid_input',
    `Cannot make a tool of "${folder || 'the workspace'}": tool.yaml is missing, and ${which}. Call one of them main, or add tool.yaml with its entry`,
  )
}
