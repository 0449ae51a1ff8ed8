import { useEffect, useRef, type KeyboardEvent } from 'react'
import { replaceText } from '../live/replace-text.ts'
import { useLiveText } from '../live/use-live-text.ts'
import type { CodeEditorProps } from './code-editor.tsx'
import { isProse } from './is-prose.ts'

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
  const liveText = useLiveText(live?.workspace, active)
  const text = liveText ?? files[active] ?? ''
  const mayType = live?.mayWrite ?? onChange !== undefined
  const mark = marks.find(({ path }) => path === active)

  useEffect(() => {
    if (!area.current || reveal?.path !== active) return
    const before = area.current.value.split('\n').slice(0, reveal.line - 1)
    const start = before.reduce((sum, line) => sum + line.length + 1, 0)
    area.current.focus()
    area.current.setSelectionRange(start, start)
    area.current.scrollTop = Math.max(0, (reveal.line - 4) * 20)
  }, [active, reveal])

  function press(event: KeyboardEvent) {
    const act = event.key !== 'Enter' ? undefined : event.ctrlKey || event.metaKey ? onRun : event.shiftKey && onRunNext
    if (!act) return
    event.preventDefault()
    act()
  }

  function change(next: string) {
    const found = live?.workspace.textAt(active)
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
        onSelect={({ currentTarget: { value, selectionStart, selectionEnd } }) => {
          const before = value.slice(0, selectionStart).split('\n')
          const from = before.length
          const to = from + value.slice(selectionStart, selectionEnd).replace(/\n$/, '').split('\n').length - 1
          const selected = {
            from,
            to,
            text: value
              .split('\n')
              .slice(from - 1, to)
              .join('\n'),
          }
          const cursor = { line: from, column: (before.at(-1)?.length ?? 0) + 1 }
          onCursor?.(selectionStart === selectionEnd ? cursor : { ...cursor, selected })
        }}
        // each letter where the large editor has it, which takes its place
        className="min-h-0 w-full flex-1 resize-none bg-surface py-2.5 pr-4 pl-12 font-mono text-dense text-text focus-visible:-outline-offset-2 max-md:text-lead"
      />
    </>
  )
}
