import type { LiveWorkspace } from '../../live/live-workspace.ts'
import type { monaco } from '../monaco.ts'
import { mayBeDefinition } from './definition-in.ts'

/** Has a definition in a workspace checked for as long as it is shown. What reads YAML comes with the first one. */
export function followDefinition(workspace: LiveWorkspace, path: string, model: monaco.editor.ITextModel): () => void {
  if (!mayBeDefinition(path)) return () => {}
  let stop: (() => void) | undefined
  let isOver = false
  void import('./check-definition.ts').then(({ checkDefinition }) => {
    if (!isOver && !model.isDisposed()) stop = checkDefinition(workspace, path, model)
  })
  return () => {
    isOver = true
    stop?.()
  }
}
