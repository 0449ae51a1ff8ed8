import { monaco } from '../monaco.ts'
import { definitionIn } from './definition-in.ts'
import { schemaOf } from './definition-schemas.ts'
import { explainInYaml, suggestInYaml, type YamlSuggestion } from './help-in-yaml.ts'

type Model = monaco.editor.ITextModel

const { CompletionItemKind, CompletionItemInsertTextRule } = monaco.languages

/** Completes and explains definitions by their schema, wherever one is edited. JSON has help of its own. */
export function registerDefinitions(): void {
  for (const language of ['yaml', 'markdown']) {
    monaco.languages.registerCompletionItemProvider(language, {
      triggerCharacters: [' ', '-', '[', '{', ','],
      async provideCompletionItems(model, position) {
        const part = definitionIn(model.uri.path, model.getValue())
        const at = model.getOffsetAt(position) - (part?.offset ?? 0)
        if (!part || at < 0 || at > part.text.length) return undefined
        const found = suggestInYaml(part.text, at, await schemaOf(part.kind))
        if (!found || model.isDisposed()) return undefined
        const range = rangeOf(model, part.offset + found.from, part.offset + found.to)
        return { suggestions: found.suggestions.map((one, index) => toItem(one, index, range)) }
      },
    })
    monaco.languages.registerHoverProvider(language, {
      async provideHover(model, position) {
        const part = definitionIn(model.uri.path, model.getValue())
        const at = model.getOffsetAt(position) - (part?.offset ?? 0)
        if (!part || at < 0 || at > part.text.length) return null
        const found = explainInYaml(part.text, at, await schemaOf(part.kind))
        if (!found || model.isDisposed()) return null
        const range = rangeOf(model, part.offset + found.from, part.offset + found.to)
        return { contents: [{ value: found.markdown }], range }
      },
    })
  }
}

function toItem(one: YamlSuggestion, index: number, range: monaco.IRange): monaco.languages.CompletionItem {
  return {
    label: one.isRequired ? { label: one.label, description: 'required' } : one.label,
    kind: one.kind === 'field' ? CompletionItemKind.Property : CompletionItemKind.Value,
    documentation: one.description,
    insertText: one.snippet,
    insertTextRules: CompletionItemInsertTextRule.InsertAsSnippet,
    range,
    // in the order of the schema, what must be there first
    sortText: `${one.isRequired ? 0 : 1}${String(index).padStart(4, '0')}`,
    ...(one.asksOn && { command: { id: 'editor.action.triggerSuggest', title: 'Suggest' } }),
  }
}

function rangeOf(model: Model, from: number, to: number): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(from), model.getPositionAt(to))
}
