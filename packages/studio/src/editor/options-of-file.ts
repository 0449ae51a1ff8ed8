import { isProse } from './is-prose.ts'
import type { monaco } from './monaco.ts'

/** What an editor does differently by the kind of file. */
export function optionsOfFile(path: string): monaco.editor.IEditorOptions & monaco.editor.IGlobalEditorOptions {
  const isData = /\.(?:ya?ml|json)$/i.test(path)
  // words of the same text are no help in prose; definitions have help of their own, also where a value is a text
  const suggests = isData || !isProse(path) || /(?:^|\/)SKILL\.md$/.test(path)
  return {
    wordWrap: isProse(path) ? 'on' : 'off',
    quickSuggestions: suggests && { other: true, comments: false, strings: isData },
    wordBasedSuggestions: isData || isProse(path) ? 'off' : 'currentDocument',
  }
}
