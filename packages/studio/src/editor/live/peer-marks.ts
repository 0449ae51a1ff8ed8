import * as Y from 'yjs'
import type { LiveTexts } from '../../live/live-texts.ts'
import type { Peer } from '../../live/peers.ts'
import { monaco } from '../monaco.ts'
import type { LiveModel } from './live-models.ts'

type Editor = monaco.editor.IStandaloneCodeEditor

const shownMs = 3000
const tellPauseMs = 40

/** Shows in an editor where others are in its file, with their names, and tells them where one is oneself. */
export function markPeers(editor: Editor, texts: LiveTexts, live: LiveModel): () => void {
  const selections = editor.createDecorationsCollection()
  const carets = new Map<number, Caret>()

  function draw(): void {
    if (live.model.isDisposed()) return
    const here = texts.peers.flatMap((peer) => {
      const place = peer.isMe && !peer.isAgent ? undefined : placeOf(peer, texts, live)
      return place ? [{ peer, ...place }] : []
    })
    selections.set(
      here.map(({ peer, anchor, head }) => ({
        range: monaco.Range.fromPositions(...inOrder(anchor, head)),
        options: { className: `peer-selection ${colorClass(peer.color)}`, stickiness: 1 },
      })),
    )
    const seen = new Set(here.map(({ peer }) => peer.client))
    for (const [client, caret] of carets) {
      if (seen.has(client)) continue
      caret.dispose()
      carets.delete(client)
    }
    for (const { peer, head } of here) {
      const caret = carets.get(peer.client) ?? new Caret(editor, peer)
      carets.set(peer.client, caret)
      caret.move(head)
    }
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  function tell(): void {
    timer = undefined
    const selection = editor.getSelection()
    if (!selection || live.model.isDisposed() || editor.getModel() !== live.model) return
    const at = (position: monaco.IPosition) =>
      Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(live.binding.text, live.binding.toText(position)))
    const [anchor, head] = [at(startOf(selection)), at(selection.getPosition())]
    texts.show({ file: live.path, selection: { anchor, head } })
  }
  const tellSoon = () => {
    if (editor.hasTextFocus()) timer ??= setTimeout(tell, tellPauseMs)
  }

  const listeners = [editor.onDidChangeCursorSelection(tellSoon), editor.onDidFocusEditorText(tellSoon)]
  const unsubscribe = texts.subscribe(draw)
  // what others typed moves their places in the text, which are told only when they themselves move
  const changed = live.model.onDidChangeContent(() => draw())
  draw()
  // whoever types already moves with the next letter only
  tellSoon()
  return () => {
    clearTimeout(timer)
    unsubscribe()
    changed.dispose()
    for (const listener of listeners) listener.dispose()
    selections.clear()
    for (const caret of carets.values()) caret.dispose()
  }
}

/** Where another is in a file; undefined when they are elsewhere, or say something that is no place in it. */
export function placeOf(peer: Peer, texts: LiveTexts, { path, binding }: LiveModel) {
  if (!peer.selection || peer.file !== path) return undefined
  const [anchor, head] = [peer.selection.anchor, peer.selection.head].map((given) => {
    try {
      const relative = Y.createRelativePositionFromJSON(given)
      const found = Y.createAbsolutePositionFromRelativePosition(relative, texts.doc)
      return found?.type === binding.text ? binding.toPosition(found.index) : undefined
    } catch {
      // a client says what it likes about itself
      return undefined
    }
  })
  return anchor && head ? { anchor, head } : undefined
}

/** A line where someone types, with their name above it while they move. */
class Caret {
  readonly #editor: Editor
  readonly #node: HTMLElement
  readonly #widget: monaco.editor.IContentWidget
  #position: monaco.IPosition | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(editor: Editor, { client, name, color, isAgent }: Peer) {
    this.#editor = editor
    this.#node = document.createElement('div')
    this.#node.className = `peer-caret ${colorClass(color)}`
    const label = document.createElement('span')
    label.className = 'peer-name'
    // as text: a name may be anything
    label.textContent = isAgent ? `${name} (agent)` : name
    this.#node.append(label)
    this.#widget = {
      getId: () => `peer-${client}`,
      getDomNode: () => this.#node,
      getPosition: () =>
        this.#position
          ? { position: this.#position, preference: [monaco.editor.ContentWidgetPositionPreference.EXACT] }
          : null,
    }
    editor.addContentWidget(this.#widget)
  }

  move(position: monaco.IPosition): void {
    const before = this.#position
    if (before?.lineNumber === position.lineNumber && before.column === position.column) return
    this.#position = position
    this.#node.classList.toggle('on-first-line', position.lineNumber === 1)
    this.#node.classList.add('moves')
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#node.classList.remove('moves'), shownMs)
    this.#editor.layoutContentWidget(this.#widget)
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#editor.removeContentWidget(this.#widget)
  }
}

const sheet = new CSSStyleSheet()
const known = new Set<string>()

/** A class that sets `--peer`. The colour was checked to be one. */
function colorClass(color: string): string {
  const name = `peer-${color.slice(1)}`
  if (known.size === 0) document.adoptedStyleSheets.push(sheet)
  if (!known.has(name)) sheet.insertRule(`.${name} { --peer: ${color} }`)
  known.add(name)
  return name
}

function startOf(selection: monaco.Selection): monaco.IPosition {
  return { lineNumber: selection.selectionStartLineNumber, column: selection.selectionStartColumn }
}

function inOrder(a: monaco.Position, b: monaco.Position): [monaco.Position, monaco.Position] {
  return a.isBefore(b) ? [a, b] : [b, a]
}
