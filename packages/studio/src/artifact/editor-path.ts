import { languageFacts, type Language } from '@coherex/contract'

const endings: Record<string, string> = { 'vega-lite': 'json', vega: 'json', vegalite: 'json', markdown: 'md' }

/** The name under which the editor has a block: it says the language. */
export function editorPath(language: string): string {
  return Object.hasOwn(languageFacts, language)
    ? languageFacts[language as Language].entry
    : `block.${endings[language] ?? language}`
}
