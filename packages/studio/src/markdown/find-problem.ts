/** More is nothing that somebody reads, and takes long to draw. */
const longest = 2_000

// a name of its own multiplies what is written: one line of them is a page of work
const definition = /\\(?:[egx]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![a-zA-Z@])/

/** Why a formula is not even tried; undefined when it can be. */
export function findProblem(source: string): string | undefined {
  if (source.length > longest) return `it is longer than ${longest} letters`
  if (definition.test(source)) return 'it defines names of its own'
  return undefined
}
