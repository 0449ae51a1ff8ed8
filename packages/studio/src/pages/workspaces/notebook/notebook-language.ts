import { languages, type Language } from '@coherex/contract'

const others: Record<string, Language> = {
  python3: 'python',
  ir: 'r',
  deno: 'typescript',
  shellscript: 'bash',
  sh: 'bash',
}

/** The language that Jupyter, its kernels and VS Code call so; undefined where nothing here runs it. */
export function notebookLanguage(name: string): Language | undefined {
  const lower = name.toLowerCase()
  return languages.find((one) => one === lower) ?? others[lower]
}
