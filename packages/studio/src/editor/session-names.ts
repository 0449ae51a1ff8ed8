import { useEffect, type RefObject } from 'react'
import type { NamesAfter } from '../data/sandbox.ts'
import { monaco } from './monaco.ts'

type Model = monaco.editor.ITextModel

const askers = new WeakMap<Model, NamesAfter>()
let isRegistered = false

/** Completes names of Python from the variables of a session, in the model that the editor shows. */
export function useSessionNames(
  editor: RefObject<monaco.editor.IStandaloneCodeEditor | undefined>,
  namesAfter: NamesAfter | undefined,
): void {
  useEffect(() => {
    const made = editor.current
    if (!made || !namesAfter) return undefined
    if (!isRegistered) register()
    isRegistered = true
    let model: Model | null = null
    const take = () => {
      if (model) askers.delete(model)
      model = made.getModel()
      if (model) askers.set(model, namesAfter)
    }
    take()
    const listening = made.onDidChangeModel(take)
    return () => {
      listening.dispose()
      if (model) askers.delete(model)
    }
  }, [editor, namesAfter])
}

function register(): void {
  monaco.languages.registerCompletionItemProvider('python', {
    triggerCharacters: ['.', '[', '"', "'"],
    async provideCompletionItems(model, { lineNumber, column }, _context, token) {
      const ask = askers.get(model)
      if (!ask) return undefined
      const stop = new AbortController()
      token.onCancellationRequested(() => stop.abort())
      const line = model.getValueInRange(new monaco.Range(lineNumber, 1, lineNumber, column))
      // a session that does not answer costs only its names
      const { prefix, items } = await ask(line, stop.signal).catch(() => ({ prefix: '', items: [] }))
      const range = new monaco.Range(lineNumber, column - prefix.length, lineNumber, column)
      return {
        suggestions: items.map(({ name, kind }) => ({
          label: { label: name, description: 'session' },
          kind: kinds[kind] ?? monaco.languages.CompletionItemKind.Variable,
          insertText: name,
          range,
          // what is alive comes before what could be
          sortText: `0${name}`,
        })),
      }
    },
  })
}

const Kind = monaco.languages.CompletionItemKind
const kinds: Record<string, monaco.languages.CompletionItemKind> = {
  module: Kind.Module,
  class: Kind.Class,
  function: Kind.Function,
  method: Kind.Method,
  property: Kind.Property,
  field: Kind.Field,
  keyword: Kind.Keyword,
}
