import type { LiveWorkspace } from '../../live/live-workspace.ts'
import type { TextChange } from '../../live/replace-text.ts'
import { monaco } from '../monaco.ts'
import { liveModels } from './live-models.ts'

/** Changes a file as if it was typed: others see it at once, and one undo takes it back. Places are those of the text as editors show it. */
export function applyChanges(
  workspace: LiveWorkspace,
  path: string,
  makeChanges: (text: string) => TextChange[],
): void {
  const models = liveModels(workspace)
  const live = models.hold(path)
  if (!live) return
  const { model, binding } = live
  const edits = makeChanges(model.getValue()).map(({ at, remove, insert }) => ({
    range: monaco.Range.fromPositions(model.getPositionAt(at), model.getPositionAt(at + remove)),
    text: insert,
  }))
  binding.undo.stopCapturing()
  model.pushEditOperations([], edits, () => null)
  binding.undo.stopCapturing()
  models.release(live)
}
