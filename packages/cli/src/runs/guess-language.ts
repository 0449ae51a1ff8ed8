import { extname } from 'node:path'
import type { Language } from '@coherex/contract'

const byExtension: Record<string, Language> = {
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'node',
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.py': 'python',
  '.sh': 'bash',
  '.bash': 'bash',
}

const byInterpreter: [RegExp, Language][] = [
  [/^python[\d.]*$/, 'python'],
  [/^(ba)?sh$/, 'bash'],
  [/^node(js)?$/, 'node'],
  [/^(deno|bun|tsx|ts-node)$/, 'typescript'],
]

/** The language of a program by the name of its file, or by the interpreter its first line names. */
export function guessLanguage(file: string, code: string): Language | undefined {
  const known = byExtension[extname(file).toLowerCase()]
  if (known) return known
  const words = /^#!\s*(\S.*)/.exec(code)?.[1]?.trim().split(/\s+/) ?? []
  // env takes options and variables before the name
  const named = words[0]?.endsWith('/env') ? words.slice(1).find((word) => !/^-|=/.test(word)) : words[0]
  const interpreter = named?.split('/').at(-1) ?? ''
  return byInterpreter.find(([pattern]) => pattern.test(interpreter))?.[1]
}
