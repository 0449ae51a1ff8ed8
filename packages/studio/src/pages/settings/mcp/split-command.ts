const word = /(?:[^\s"'\\]|\\[^]|"(?:[^"\\]|\\[^])*"|'[^']*')+/g
const piece = /"((?:[^"\\]|\\[^])*)"|'([^']*)'|\\([^])|([^"'\\]+)/g

/** The words of a command line as a shell reads them, with quotes and backslashes; undefined where a quote is open. */
export function splitCommand(text: string): string[] | undefined {
  if (text.replaceAll(word, '').trim() !== '') return undefined
  return (text.match(word) ?? []).map((one) =>
    one.replaceAll(
      piece,
      (_, double?: string, single?: string, escaped?: string, plain?: string) =>
        double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? plain ?? '',
    ),
  )
}

/** A command line that `splitCommand` reads as these words. */
export function joinCommand(words: readonly string[]): string {
  return words.map((one) => (/^[\w@%+=:,./-]+$/.test(one) ? one : `'${one.replaceAll("'", `'\\''`)}'`)).join(' ')
}
