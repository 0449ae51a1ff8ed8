import type { RefObject } from 'react'
import type { monaco } from '../monaco.ts'

type Editor = monaco.editor.IStandaloneCodeEditor

/** Where one was in a text before another model of it came in its place. */
export interface LastView {
  path: string
  state: monaco.editor.ICodeEditorViewState | null
  hasFocus: boolean
}

export function viewOf(editor: Editor, path: string): LastView {
  return { path, state: editor.saveViewState(), hasFocus: editor.hasTextFocus() }
}

/** Whoever types goes on typing where they were. */
export function showAgain(editor: Editor, path: string, last: RefObject<LastView | undefined>): void {
  const view = last.current
  last.current = undefined
  if (view?.path !== path) return
  if (view.state) editor.restoreViewState(view.state)
  if (view.hasFocus) editor.focus()
}
