import { useEffect, useRef, type KeyboardEvent } from 'react'
import type { CodeEditorProps } from './code-editor.tsx'

/** Code without any help: works everywhere, at once. */
export function PlainEditor(props: CodeEditorProps & { note: string | undefined }) {
  const { label, files, active, onChange, readOnlyWhy, onRun, marks = [], reveal, autoFocus, note } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const text = files[active] ?? ''
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
    if (!onRun || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onRun()
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
        readOnly={!onChange}
        title={onChange ? undefined : readOnlyWhy}
        onChange={(event) => onChange?.(active, event.target.value)}
        onKeyDown={press}
        autoFocus={autoFocus}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        wrap="off"
        className="min-h-0 w-full flex-1 resize-none bg-surface px-4 py-3 font-mono text-dense text-text focus-visible:-outline-offset-2 max-md:text-lead"
      />
    </>
  )
}
