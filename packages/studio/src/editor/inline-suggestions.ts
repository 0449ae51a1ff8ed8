import type { EditorHelp } from './help.ts'
import { monaco } from './monaco.ts'

type Suggest = NonNullable<EditorHelp['suggest']>

// a pause in typing, not each key
const pauseMs = 350
// more than the server has a model read
const mostBefore = 8_000
const mostAfter = 4_000
const suggesters = new WeakMap<monaco.editor.ITextModel, Suggest>()

// one for all editors: two that show the same file must not ask twice
monaco.languages.registerInlineCompletionsProvider('*', {
  debounceDelayMs: pauseMs,
  async provideInlineCompletions(model, position, _context, token) {
    const suggest = suggesters.get(model)
    const asked = new AbortController()
    const listener = token.onCancellationRequested(() => asked.abort())
    try {
      if (!suggest || token.isCancellationRequested) return nothing
      const at = model.getOffsetAt(position)
      const text = model.getValue()
      const prefix = text.slice(Math.max(0, at - mostBefore), at)
      const suffix = text.slice(at, at + mostAfter)
      if (prefix.trim() === '') return nothing
      const insertText = await suggest({ language: model.getLanguageId(), prefix, suffix }, asked.signal)
      if (insertText === '') return nothing
      return { items: [{ insertText, range: monaco.Range.fromPositions(position) }] }
    } catch {
      // a suggestion that does not come is none
      return nothing
    } finally {
      listener.dispose()
    }
  },
  disposeInlineCompletions() {},
})

const nothing = { items: [] }

/** Has a model suggest in a text from now on. */
export function suggestIn(model: monaco.editor.ITextModel, suggest: Suggest): () => void {
  suggesters.set(model, suggest)
  return () => {
    if (suggesters.get(model) === suggest) suggesters.delete(model)
  }
}
