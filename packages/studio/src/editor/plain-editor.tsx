import { useEffect, useRef, type KeyboardEvent } from 'react'
import { replaceText } from '../live/replace-text.ts'
import { useLiveText } from '../live/use-live-text.ts'
import type { CodeEditorProps, EditorCursor } from './code-editor.tsx'
import { isProse } from './is-prose.ts'
import { hasCells, partToRun } from './run-part.ts'

/** Code without any help: works everywhere, at once. */
export function PlainEditor(props: CodeEditorProps & { note: string | undefined }) {
  const {
    label,
    files,
    active,
    live,
    onChange,
    readOnlyWhy,
    onRun,
    onRunNext,
    onCursor,
    marks = [],
    reveal,
    autoFocus,
    note,
  } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const liveText = useLiveText(live?.texts, active)
  const text = liveText ?? files[active] ?? ''
  const mayType = live?.mayWrite ?? onChange !== undefined
  const mark = marks.find(({ path }) => path === active)

  useEffect(() => {
    if (!area.current || reveal?.path !== active) return
    area.current.focus()
    goTo(area.current, reveal.line)
  }, [active, reveal])

  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== 'Enter' || event.defaultPrevented) return
    const isWhole = event.ctrlKey || event.metaKey
    const goesOn = !isWhole && event.shiftKey && props.onRunPart !== undefined && hasCells(text)
    if (!isWhole && !goesOn && !(event.shiftKey && onRunNext)) return
    event.preventDefault()
    const { currentTarget: typed } = event
    const { line, selected } = cursorIn(typed)
    const part = props.onRunPart && partToRun(typed.value, line, selected)
    if (part && (isWhole || goesOn)) {
      props.onRunPart?.(part.code, part.last)
      if (goesOn && part.next !== undefined) goTo(typed, part.next)
    } else if (isWhole) onRun?.()
    else onRunNext?.()
  }

  function change(next: string) {
    const found = live?.texts.textAt(active)
    if (!found) return onChange?.(active, next)
    live?.onTyped()
    replaceText(found.text, next, area)
  }

  return (
    <>
      {note && <p className="border-b border-line bg-sunken px-4 py-1.5 text-small text-muted">{note}</p>}
      {mark && (
        <p className="border-b border-line bg-red-soft px-4 py-1.5 text-small text-red">
          Line {mark.line}: {mark.message}
        </p>
      )}
      <textarea
        ref={area}
        aria-label={label}
        value={text}
        readOnly={!mayType}
        title={mayType ? undefined : readOnlyWhy}
        onChange={(event) => change(event.target.value)}
        onKeyDown={press}
        autoFocus={autoFocus}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        wrap={isProse(active) ? 'soft' : 'off'}
        onSelect={({ currentTarget }) => onCursor?.(cursorIn(currentTarget))}
        // each letter where the large editor has it, which takes its place
        className="min-h-0 w-full flex-1 resize-none bg-surface py-2.5 pr-4 pl-12 font-mono text-dense text-text focus-visible:-outline-offset-2 max-md:text-lead"
      />
    </>
  )
}

function goTo(area: HTMLTextAreaElement, line: number): void {
  const before = area.value.split('\n').slice(0, line - 1)
  const start = before.reduce((sum, one) => sum + one.length + 1, 0)
  area.setSelectionRange(start, start)
  area.scrollTop = Math.max(0, (line - 4) * 20)
}

/** Where one types, and what is selected, in whole lines. */
export function cursorIn({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): EditorCursor {
  const before = value.slice(0, selectionStart).split('\n')
  const from = before.length
  const cursor = { line: from, column: (before.at(-1)?.length ?? 0) + 1 }
  if (selectionStart === selectionEnd) return cursor
  const to = from + value.slice(selectionStart, selectionEnd).replace(/\n$/, '').split('\n').length - 1
  const lines = value.split('\n').slice(from - 1, to)
  return { ...cursor, selected: { from, to, text: lines.join('\n') } }
}
