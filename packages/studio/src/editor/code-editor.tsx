import { Component, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import type { NamesAfter } from '../data/sandbox.ts'
import type { LiveTexts } from '../live/live-texts.ts'
import type { EditorHelp } from './help.ts'
import { cursorIn, PlainEditor } from './plain-editor.tsx'
import type { ProposedChange } from './proposed-change.ts'
import { waitForEditor } from './wait-for-editor.ts'

/** A line to point at, such as the one that failed. */
export interface EditorMark {
  path: string
  line: number
  column?: number | undefined
  message: string
}

/** What a line came to when it was run: a value, or why it failed. */
export interface EditorResult {
  path: string
  line: number
  text: string
  isError: boolean
}

/** Where one types, counted from 1. */
export interface EditorCursor {
  line: number
  column: number
  /** What is selected, in whole lines. */
  selected?: SelectedLines | undefined
}

export interface SelectedLines {
  from: number
  to: number
  text: string
}

/** A file of a workspace, or a block, that several type in. */
export interface LiveFile {
  texts: LiveTexts
  textId: string
  mayWrite: boolean
  /** The person or agent whose place is kept in sight. */
  followed?: string | undefined
  /** One clicks or presses a key here. */
  onOwnMove?: (() => void) | undefined
  onTyped: () => void
}

export interface CodeEditorProps {
  /** Read aloud. */
  label: string
  /** Where the files belong; a new place is a new history of changes. */
  folder: string
  files: Record<string, string>
  active: string
  /** The active file is typed in by several at once: `files` has only how it was a moment ago. */
  live?: LiveFile | undefined
  /** Without it the code is only shown. */
  onChange?: ((path: string, text: string) => void) | undefined
  /** Said to whoever types where the code is only shown. */
  readOnlyWhy?: string | undefined
  onRun?: (() => void) | undefined
  /** Runs what is selected or the cell of the line, where there is such; the whole is for `onRun`. */
  onRunPart?: ((code: string, lastLine: number) => void) | undefined
  /** Shift with Enter, where there is something to go on to. */
  onRunNext?: (() => void) | undefined
  onCursor?: ((cursor: EditorCursor) => void) | undefined
  /** A model that helps, where one is set and one may ask it. */
  help?: EditorHelp | undefined
  marks?: readonly EditorMark[] | undefined
  /** Shown at the ends of lines of the active file. */
  results?: readonly EditorResult[] | undefined
  /** What agents would change in the active file. */
  proposed?: readonly ProposedChange[] | undefined
  /** Names that a live session knows. */
  namesAfter?: NamesAfter | undefined
  /** A line to bring in sight; a new object does so again. */
  reveal?: { path: string; line: number; column?: number } | undefined
  autoFocus?: boolean
}

type Rich = typeof import('./monaco-editor.tsx').MonacoEditor

let loaded: Rich | undefined

interface LoadedEditor {
  of: Rich
  focus: boolean
  /** Where one typed when it came. */
  start?: EditorCursor | undefined
}

/** Code with the large editor, which is loaded once somebody is there. Until then, or where it cannot be loaded, a plain one does the work. */
export function CodeEditor(props: CodeEditorProps) {
  const { autoFocus = false } = props
  const [Editor, setEditor] = useState<LoadedEditor | undefined>(loaded && { of: loaded, focus: autoFocus })
  const [failed, setFailed] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const show = useEffectEvent((of: Rich) => {
    const area = frame.current?.querySelector('textarea')
    // whoever types already goes on typing, and whoever went elsewhere meanwhile stays there
    const focus = area != null && area === document.activeElement
    setEditor({ of, focus, start: focus ? cursorIn(area) : undefined })
  })

  // what only the large one shows is not kept waiting
  const isWanted =
    autoFocus ||
    [props.marks, props.results, props.proposed].some((shown) => shown && shown.length > 0) ||
    props.live?.followed !== undefined
  useEffect(() => {
    if (loaded) return undefined
    let gone = false
    const load = () =>
      void import('./monaco-editor.tsx').then(
        ({ MonacoEditor }) => {
          loaded = MonacoEditor
          if (!gone) show(MonacoEditor)
        },
        () => !gone && setFailed(true),
      )
    const stop = isWanted ? load() : waitForEditor(load)
    return () => {
      gone = true
      stop?.()
    }
  }, [isWanted])

  const plain = (
    <PlainEditor
      {...props}
      note={failed ? 'The editor could not be loaded. Typing and running work without it.' : undefined}
    />
  )
  return (
    <div ref={frame} data-code-editor className="relative flex min-h-0 flex-1 flex-col">
      {Editor && !failed ? (
        <Boundary onError={() => setFailed(true)}>
          <Editor.of {...props} autoFocus={Editor.focus} start={Editor.start} />
        </Boundary>
      ) : (
        plain
      )}
    </div>
  )
}

/** React catches errors in classes only. A large editor that breaks must not take the code with it. */
class Boundary extends Component<{ children: ReactNode; onError: () => void }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override componentDidCatch(): void {
    this.props.onError()
  }

  override render(): ReactNode {
    return this.state.broken ? null : this.props.children
  }
}
