import type { AssistKind } from '@coherex/contract'
import { useEffect, useEffectEvent, type RefObject } from 'react'
import type { EditorHelp, HelpSubject } from './help.ts'
import { suggestIn } from './inline-suggestions.ts'
import { monaco } from './monaco.ts'

type Editor = monaco.editor.IStandaloneCodeEditor

const asks: { kind: AssistKind; label: string; key?: number }[] = [
  { kind: 'explain', label: 'Explain' },
  { kind: 'fix', label: 'Fix This Error' },
  { kind: 'test', label: 'Write a Test' },
  { kind: 'edit', label: 'Edit by Instruction…', key: monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyI },
]

/** Ghost text as one types, and questions about what is selected in the menu of the editor. */
export function useEditorHelp(editor: RefObject<Editor | undefined>, help: EditorHelp | undefined): void {
  const ask = useEffectEvent((kind: AssistKind) => {
    const subject = editor.current && readSubject(editor.current, kind)
    if (subject) help?.ask?.(subject)
  })
  const suggest = useEffectEvent<NonNullable<EditorHelp['suggest']>>(
    async (place, signal) => help?.suggest?.(place, signal) ?? '',
  )
  const mayAsk = help?.ask !== undefined
  const suggests = help?.suggest !== undefined

  useEffect(() => {
    const shown = editor.current
    if (!shown || !mayAsk) return undefined
    const actions = asks.map(({ kind, label, key }, index) =>
      shown.addAction({
        ...{ id: `coherex.${kind}`, label, contextMenuGroupId: '0_help', contextMenuOrder: index },
        ...(key !== undefined && { keybindings: [key] }),
        run: () => ask(kind),
      }),
    )
    return () => {
      for (const action of actions) action.dispose()
    }
  }, [editor, mayAsk])

  useEffect(() => {
    const shown = editor.current
    if (!shown) return undefined
    shown.updateOptions({ inlineSuggest: { enabled: suggests } })
    if (!suggests) return undefined
    let stop: (() => void) | undefined
    const follow = () => {
      stop?.()
      const model = shown.getModel()
      stop = model ? suggestIn(model, (place, signal) => suggest(place, signal)) : undefined
    }
    follow()
    const listener = shown.onDidChangeModel(follow)
    return () => {
      listener.dispose()
      stop?.()
    }
  }, [editor, suggests])
}

/** What is selected, and what is wrong in it; without a selection all of the file, and what is wrong in its line. */
function readSubject(editor: Editor, kind: AssistKind): HelpSubject | undefined {
  const [model, range] = [editor.getModel(), editor.getSelection()]
  if (!model || !range) return undefined
  const marks = monaco.editor
    .getModelMarkers({ resource: model.uri })
    .filter(({ startLineNumber: line }) => line >= range.startLineNumber && line <= range.endLineNumber)
    .map(({ startLineNumber: line, message }) => `Line ${line}: ${message}`)
  const selection = range.isEmpty()
    ? undefined
    : { from: model.getOffsetAt(range.getStartPosition()), to: model.getOffsetAt(range.getEndPosition()) }
  const error = marks.length > 0 ? [...new Set(marks)].join('\n') : undefined
  return { kind, language: model.getLanguageId(), text: model.getValue(), selection, error }
}
