import { useEffect, useRef, type RefObject } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { monaco } from './monaco.ts'
import type { ChangedBlock, ProposedChange } from './proposed-change.ts'

type Editor = monaco.editor.IStandaloneCodeEditor

const barPx = 36

/** Shows what agents propose where it would stand: lines that go are marked, those that come are below them, and buttons above decide. */
export function useShownProposed(
  editor: RefObject<Editor | undefined>,
  proposed: readonly ProposedChange[] | undefined,
): void {
  // whoever decides by keyboard comes to the next change, and after the last one to the text
  const goesOn = useRef(false)
  useEffect(() => {
    const shown = editor.current
    const hadFocus = goesOn.current
    goesOn.current = false
    if (!shown || !proposed || proposed.length === 0) {
      if (hadFocus) shown?.focus()
      return undefined
    }
    let drawn = draw(shown, proposed)
    if (hadFocus) drawn.goToNext()
    const again = () => {
      drawn.clear()
      drawn = draw(shown, proposed)
    }
    // the text may come after its proposals, from a collaborator who is ahead of this window
    const waiting = shown.onDidChangeModelContent(() => drawn.isWhole || again())
    const moved = shown.onDidChangeModel(again)
    const action = shown.addAction({
      ...{ id: 'coherex.next-proposed', label: 'Go to Next Proposed Change' },
      keybindings: [monaco.KeyMod.Alt | monaco.KeyCode.F5],
      run: () => drawn.goToNext(),
    })
    return () => {
      waiting.dispose()
      moved.dispose()
      action.dispose()
      goesOn.current = drawn.hasFocus()
      drawn.clear()
    }
  }, [editor, proposed])
}

interface Bar {
  line: number
  focus: () => void
}

function draw(editor: Editor, proposed: readonly ProposedChange[]) {
  const model = editor.getModel()
  const fitting = model ? proposed.filter(({ blocks }) => blocks.every((block) => fits(model, block))) : []
  const marks = editor.createDecorationsCollection(
    fitting
      .flatMap(({ blocks }) => blocks)
      .filter(({ removed }) => removed.length > 0)
      .map(({ line, removed }) => ({
        range: new monaco.Range(line, 1, line + removed.length - 1, 1),
        options: {
          isWholeLine: true,
          className: 'proposed-removed',
          linesDecorationsClassName: 'proposed-removed-sign',
        },
      })),
  )
  const strips: Strip[] = []
  const bars: Bar[] = []
  for (const [index, change] of fitting.entries()) {
    const number = fitting.length > 1 ? ` ${index + 1} of ${fitting.length}` : ''
    const first = change.blocks[0]
    if (!first) continue
    const bar = createBar(editor, change, `Proposed change${number}`)
    const strip = new Strip(editor, bar, { after: first.line - 1, heightPx: barPx, ordinal: 10_000 })
    strips.push(strip)
    bars.push({ line: first.line, focus: () => bar.querySelector('button')?.focus() })
    for (const { line, removed, added } of change.blocks) {
      if (added.length === 0) continue
      const at = { after: line + removed.length - 1, ordinal: 10_001 }
      strips.push(new Strip(editor, createAdded(editor, added), { ...at, heightPx: added.length * 20 }))
    }
  }
  return {
    isWhole: fitting.length === proposed.length,
    hasFocus: () => strips.some(({ node }) => node.contains(document.activeElement)),
    goToNext() {
      const at = editor.getPosition()?.lineNumber ?? 1
      const next = bars.find(({ line }) => line > at) ?? bars[0]
      if (!next) return editor.focus()
      const position = { lineNumber: Math.max(1, Math.min(next.line, model?.getLineCount() ?? 1)), column: 1 }
      editor.setPosition(position)
      editor.revealPositionInCenter(position, monaco.editor.ScrollType.Immediate)
      next.focus()
    },
    clear() {
      marks.clear()
      for (const strip of strips) strip.dispose()
    },
  }
}

function fits(model: monaco.editor.ITextModel, { line, removed }: ChangedBlock): boolean {
  if (line - 1 + removed.length > model.getLineCount()) return false
  return removed.every((text, index) => model.getLineContent(line + index) === text.replace(/\r$/, ''))
}

/** Room between two lines with something over it: what is in the room itself is hidden from screen readers. */
class Strip {
  readonly node: HTMLElement
  readonly #editor: Editor
  readonly #widget: monaco.editor.IOverlayWidget
  readonly #zone: string

  constructor(editor: Editor, node: HTMLElement, at: { after: number; heightPx: number; ordinal: number }) {
    this.#editor = editor
    this.node = node
    const id = `proposed.${++count}`
    this.#widget = { getId: () => id, getDomNode: () => node, getPosition: () => null }
    node.style.height = `${at.heightPx}px`
    node.style.top = '-1000px'
    editor.addOverlayWidget(this.#widget)
    let zone = ''
    editor.changeViewZones((zones) => {
      zone = zones.addZone({
        afterLineNumber: at.after,
        heightInPx: at.heightPx,
        ordinal: at.ordinal,
        domNode: document.createElement('div'),
        onDomNodeTop: (top) => {
          const { contentLeft, contentWidth, verticalScrollbarWidth } = editor.getLayoutInfo()
          node.style.top = `${top}px`
          node.style.left = `${contentLeft}px`
          node.style.width = `${contentWidth - verticalScrollbarWidth}px`
        },
      })
    })
    this.#zone = zone
  }

  dispose(): void {
    this.#editor.changeViewZones((zones) => zones.removeZone(this.#zone))
    this.#editor.removeOverlayWidget(this.#widget)
  }
}

let count = 0

function createBar(editor: Editor, { title, decide }: ProposedChange, label: string): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'proposed-bar'
  bar.role = 'group'
  bar.ariaLabel = `${label}, by ${title}`
  const words = document.createElement('span')
  words.className = 'proposed-title'
  words.textContent = title
  bar.append(words)
  for (const [kind, name, look] of decide ? decisions : []) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = buttonClass(look, 'small')
    button.textContent = name
    button.addEventListener('click', () => {
      for (const one of bar.querySelectorAll('button')) one.ariaDisabled = 'true'
      decide?.(kind)
    })
    bar.append(button)
  }
  bar.addEventListener('keydown', (event) => {
    event.stopPropagation()
    if (event.key === 'Escape') editor.focus()
  })
  return bar
}

const decisions = [
  ['accept', 'Accept', 'primary'],
  ['reject', 'Reject', 'secondary'],
] as const

function createAdded(editor: Editor, lines: readonly string[]): HTMLElement {
  const added = document.createElement('pre')
  added.className = 'proposed-added'
  added.tabIndex = 0
  added.ariaLabel = 'Proposed lines'
  added.role = 'group'
  added.textContent = lines.join('\n')
  editor.applyFontInfo(added)
  return added
}
