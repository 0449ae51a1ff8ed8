import { languageFacts, languageOfFile, type Language } from '@coherex/contract'
import type { TypedOptions } from '../../cell/options/typed-options.ts'

/** Where a program of a language is in a workspace: files there have their language by their name. */
export function entryOf(language: Language, entry: string = languageFacts[language].entry): string {
  const isNode = language === 'node' && languageOfFile(entry) === 'javascript'
  return isNode || languageOfFile(entry) === language ? entry : languageFacts[language].entry
}

/** Node.js is JavaScript in a process of its own. */
export function optionsFor(language: Language, options: TypedOptions): TypedOptions {
  return language === 'node' ? { ...options, runtime: 'process' } : options
}

/** The language that a file is run in. */
export function languageAt(path: string, { runtime }: TypedOptions): Language | undefined {
  return path.endsWith('.mjs') && runtime === 'process' ? 'node' : languageOfFile(path)
}
