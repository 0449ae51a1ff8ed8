import * as Y from 'yjs'
import { changeBetween } from '../../live/replace-text.ts'
import { monaco } from '../monaco.ts'
import { isPlain, LineEnds } from './line-ends.ts'

type Model = monaco.editor.ITextModel

/** Ties a text of a document to what an editor shows: what is done to one is done to the other at once. */
export class TextBinding {
  readonly text: Y.Text
  readonly model: Model
  /** Undoes what was typed here, never what others did. */
  readonly undo: Y.UndoManager
  readonly #isGone: () => boolean
  readonly #stop: (() => void)[] = []
  #isApplying = false
  /** Undefined while the text is shown as it is, so that places need no translation. */
  #ends: LineEnds | undefined

  constructor(text: Y.Text, model: Model, { isGone }: { isGone: () => boolean }) {
    this.text = text
    this.model = model
    this.#isGone = isGone
    model.setEOL(monaco.editor.EndOfLineSequence.LF)
    this.undo = new Y.UndoManager(text, { trackedOrigins: new Set([this]), captureTimeout: 600 })
    this.#showAll()
    const change = (event: Y.YTextEvent) => this.#show(event)
    text.observe(change)
    const typed = model.onDidChangeContent((event) => this.#take(event))
    this.#stop.push(
      () => text.unobserve(change),
      () => typed.dispose(),
      () => this.undo.destroy(),
    )
  }

  /** Where a place of the editor is in the text. */
  toText(position: monaco.IPosition): number {
    const at = this.model.getOffsetAt(position)
    return this.#ends?.toRaw(at) ?? at
  }

  /** Where a place of the text is in the editor. */
  toPosition(at: number): monaco.Position {
    return this.model.getPositionAt(this.#ends?.toShown(at) ?? at)
  }

  dispose(): void {
    for (const stop of this.#stop) stop()
  }

  #take({ changes }: monaco.editor.IModelContentChangedEvent): void {
    if (this.#isApplying) return
    const ends = this.#ends
    this.text.doc?.transact(() => {
      // from the end, so that none moves another
      for (const { rangeOffset, rangeLength, text } of changes.toSorted((a, b) => b.rangeOffset - a.rangeOffset)) {
        const at = ends?.toRaw(rangeOffset) ?? rangeOffset
        const end = ends?.toRaw(rangeOffset + rangeLength) ?? rangeOffset + rangeLength
        if (end > at) this.text.delete(at, end - at)
        if (text !== '') this.text.insert(at, ends ? text.replaceAll('\n', ends.newline) : text)
      }
    }, this)
    if (ends) this.#ends = new LineEnds(this.text.toString())
  }

  #show({ transaction, delta }: Y.YTextEvent): void {
    // of a file that was deleted the text stays in sight, for whoever wants it back
    if (transaction.origin === this || this.#isGone()) return
    const isSimple = !this.#ends && delta.every(({ insert }) => typeof insert !== 'string' || isPlain(insert))
    if (!isSimple) return this.#showAll()
    const edits: monaco.editor.IIdentifiedSingleEditOperation[] = []
    let at = 0
    for (const { retain = 0, insert, delete: remove = 0 } of delta) {
      at += retain
      if (typeof insert === 'string') edits.push({ range: this.#range(at, at), text: insert, forceMoveMarkers: true })
      if (remove > 0) edits.push({ range: this.#range(at, at + remove), text: '' })
      at += remove
    }
    this.#apply(edits)
    // whatever went wrong, both are the same again
    if (this.model.getValueLength() !== this.text.length) this.#showAll()
  }

  /** Makes the editor show the text, keeping what is the same. */
  #showAll(): void {
    const ends = new LineEnds(this.text.toString())
    this.#ends = isPlain(this.text.toString()) ? undefined : ends
    const { at, remove, insert } = changeBetween(this.model.getValue(), ends.shown)
    if (remove > 0 || insert !== '') this.#apply([{ range: this.#range(at, at + remove), text: insert }])
  }

  #apply(edits: monaco.editor.IIdentifiedSingleEditOperation[]): void {
    this.#isApplying = true
    this.model.applyEdits(edits)
    this.#isApplying = false
  }

  #range(from: number, to: number): monaco.IRange {
    return monaco.Range.fromPositions(this.model.getPositionAt(from), this.model.getPositionAt(to))
  }
}
