import { useEffect, useEffectEvent, type RefObject } from 'react'
import type { LiveFile } from '../code-editor.tsx'
import { followDefinition } from '../definitions/follow-definition.ts'
import { addFormatActions } from '../format/format-editor.ts'
import { monaco } from '../monaco.ts'
import { optionsOfFile } from '../options-of-file.ts'
import { followPython } from '../python/python-providers.ts'
import { showAgain, viewOf, type LastView } from './last-view.ts'
import { liveModels, type LiveModel } from './live-models.ts'
import { markPeers, placeOf } from './peer-marks.ts'

type Editor = monaco.editor.IStandaloneCodeEditor

/** Has an editor show a file that several type in. Undoing undoes what was typed here. */
export function useLiveModel(
  editor: RefObject<Editor | undefined>,
  path: string,
  { file, last }: { file: LiveFile | undefined; last: RefObject<LastView | undefined> },
): void {
  const { texts, textId, followed } = file ?? {}
  const typed = useEffectEvent(() => file?.onTyped())
  const moved = useEffectEvent(() => file?.onOwnMove?.())
  useEffect(() => {
    const shown = editor.current
    if (!shown || !texts || textId === undefined) return undefined
    const models = liveModels(texts)
    const live = models.hold(path)
    if (!live) return undefined
    const place = shown.getModel()?.uri.path === live.model.uri.path ? shown.saveViewState() : null
    shown.setModel(live.model)
    if (place) shown.restoreViewState(place)
    else showAgain(shown, path, last)
    shown.updateOptions(optionsOfFile(path))
    const stopMarking = markPeers(shown, texts, live)
    const isFile = texts.kind === 'workspace'
    const stopPython = isFile ? followPython(texts, path) : undefined
    const stopDefinition = isFile ? followDefinition(texts, path, live.model) : undefined
    const stopFormatting = addFormatActions(shown, live.model.uri.path)
    const actions = undoActions(live).map((action) => shown.addAction(action))
    const { text } = live.binding
    const hear = ({ transaction }: { transaction: { local: boolean } }) => transaction.local && typed()
    text.observe(hear)
    const own = [shown.onKeyDown(() => moved()), shown.onMouseDown(() => moved())]
    const stopRevealing = revealUndone(shown, live)
    return () => {
      stopRevealing()
      text.unobserve(hear)
      for (const listener of own) listener.dispose()
      for (const action of actions) action.dispose()
      stopMarking()
      stopPython?.()
      stopDefinition?.()
      stopFormatting()
      if (shown.getModel() === live.model) {
        last.current = viewOf(shown, path)
        shown.setModel(null)
      }
      models.release(live)
    }
  }, [editor, texts, path, textId, last])

  useEffect(() => {
    const live = texts && textId !== undefined && followed !== undefined && liveModels(texts).hold(path)
    if (!live) return undefined
    const look = () => {
      const peer = texts.peers.find((one) => one.id === followed && one.file === path)
      const place = peer && placeOf(peer, texts, live)
      if (place) editor.current?.revealPositionInCenterIfOutsideViewport(place.head)
    }
    look()
    const unsubscribe = texts.subscribe(look)
    return () => {
      unsubscribe()
      liveModels(texts).release(live)
    }
  }, [editor, texts, path, textId, followed])
}

/** The editor's own undo would undo what others typed meanwhile, or in the wrong place. */
function undoActions({ binding }: LiveModel): monaco.editor.IActionDescriptor[] {
  const { CtrlCmd, Shift } = monaco.KeyMod
  const { KeyZ, KeyY } = monaco.KeyCode
  return [
    {
      id: 'coherex.undo',
      label: 'Undo',
      precondition: '!editorReadonly',
      keybindings: [CtrlCmd | KeyZ],
      run: () => void binding.undo.undo(),
    },
    {
      id: 'coherex.redo',
      label: 'Redo',
      precondition: '!editorReadonly',
      keybindings: [CtrlCmd | Shift | KeyZ, CtrlCmd | KeyY],
      run: () => void binding.undo.redo(),
    },
  ]
}

/** What was undone is brought in sight. */
function revealUndone(editor: Editor, { binding, model }: LiveModel): () => void {
  let last: monaco.IPosition | undefined
  const changed = model.onDidChangeContent(({ changes: [change] }) => {
    last = change && { lineNumber: change.range.startLineNumber, column: change.range.startColumn + change.text.length }
  })
  const reveal = () => {
    if (!last || !editor.hasTextFocus()) return
    const position = model.validatePosition(last)
    editor.setPosition(position)
    editor.revealPositionInCenterIfOutsideViewport(position)
  }
  binding.undo.on('stack-item-popped', reveal)
  return () => {
    changed.dispose()
    binding.undo.off('stack-item-popped', reveal)
  }
}
