import { languageOfFile, type Language } from '@coherex/contract'

const byInterpreter: [RegExp, Language][] = [
  [/^python[\d.]*$/, 'python'],
  [/^(ba)?sh$/, 'bash'],
  [/^node(js)?$/, 'node'],
  [/^(deno|bun|tsx|ts-node)$/, 'typescript'],
  [/^(Rscript|R)$/, 'r'],
  [/^ruby[\d.]*$/, 'ruby'],
  [/^julia$/, 'julia'],
  [/^duckdb$/, 'sql'],
]

/** The language of a program by the name of its file, or by the interpreter its first line names. */
export function guessLanguage(file: string, code: string): Language | undefined {
  const known = languageOfFile(file)
  if (known) return known
  const words = /^#!\s*(\S.*)/.exec(code)?.[1]?.trim().split(/\s+/) ?? []
  // env takes options and variables before the name
  const named = words[0]?.endsWith('/env') ? words.slice(1).find((word) => !/^-|=/.test(word)) : words[0]
  const interpreter = named?.split('/').at(-1) ?? ''
  return byInterpreter.find(([pattern]) => pattern.test(interpreter))?.[1]
}
