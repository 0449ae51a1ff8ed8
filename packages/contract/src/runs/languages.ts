import { z } from 'zod'

interface LanguageFacts {
  name: string
  /** What a program is called that came without a name. */
  entry: string
  /** Endings of file names that tell the language. */
  extensions: readonly string[]
}

/** What server, studio and command line know of each language; how it is found and started is the server's alone. */
export const languageFacts = {
  javascript: { name: 'JavaScript', entry: 'main.js', extensions: ['.js', '.mjs'] },
  typescript: { name: 'TypeScript', entry: 'main.ts', extensions: ['.ts', '.mts'] },
  python: { name: 'Python', entry: 'main.py', extensions: ['.py'] },
  bash: { name: 'Bash', entry: 'main.sh', extensions: ['.sh', '.bash'] },
  node: { name: 'Node.js', entry: 'main.mjs', extensions: ['.cjs'] },
  sql: { name: 'SQL', entry: 'main.sql', extensions: ['.sql'] },
  r: { name: 'R', entry: 'main.R', extensions: ['.r'] },
  julia: { name: 'Julia', entry: 'main.jl', extensions: ['.jl'] },
  ruby: { name: 'Ruby', entry: 'main.rb', extensions: ['.rb'] },
  go: { name: 'Go', entry: 'main.go', extensions: ['.go'] },
  c: { name: 'C', entry: 'main.c', extensions: ['.c'] },
  cpp: { name: 'C++', entry: 'main.cpp', extensions: ['.cpp', '.cc', '.cxx'] },
  rust: { name: 'Rust', entry: 'main.rs', extensions: ['.rs'] },
  /** The code is the module as base64. */
  wasm: { name: 'WebAssembly', entry: 'main.wasm', extensions: ['.wasm'] },
} as const satisfies Record<string, LanguageFacts>

export type Language = keyof typeof languageFacts
export const languages = Object.keys(languageFacts) as [Language, ...Language[]]
export const language = z.enum(languages)

/** The language of a file by its name. */
export function languageOfFile(name: string): Language | undefined {
  const ending = /\.[^./\\]+$/.exec(name)?.[0].toLowerCase()
  return languages.find((one) => (languageFacts[one].extensions as readonly string[]).includes(ending ?? ''))
}
