import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { Markdown } from '../markdown/markdown.tsx'
import { Button } from '../ui/button.tsx'
import { TextArea } from '../ui/field/text-area.tsx'

interface TextCellProps {
  label: string
  source: string
  /** Without it the text is only shown. */
  onSource?: ((source: string) => void) | undefined
  /** It is no Markdown, and shown as it is written. */
  isPlain?: boolean
  isEditing: boolean
  onEdit: (isEditing: boolean) => void
  /** Done with it, on to the next one. */
  onNext: () => void
  actions?: ReactNode
}

/** A Markdown cell: rendered, and typed where somebody double-clicks it or presses Enter on it. */
export function TextCell(props: TextCellProps) {
  const { label, source, onSource, isPlain = false, isEditing, onEdit, onNext, actions } = props
  if (isEditing && onSource) {
    return (
      <section aria-label={label} className="rounded-lg border border-line-strong bg-surface">
        <TextArea
          autoFocus
          aria-label={`Text of ${label}`}
          rows={Math.min(24, Math.max(3, source.split('\n').length + 1))}
          className="rounded-b-none! border-0! font-mono text-small!"
          placeholder={isPlain ? 'Raw text' : 'Markdown'}
          value={source}
          onChange={(event) => onSource(event.target.value)}
          onKeyDown={(event) => {
            const isDone = event.key === 'Enter' && (event.shiftKey || event.ctrlKey || event.metaKey)
            if (!isDone && event.key !== 'Escape') return
            event.preventDefault()
            event.stopPropagation()
            onEdit(false)
            if (isDone && event.shiftKey) onNext()
          }}
        />
        <footer className="flex items-center gap-2 border-t border-line bg-sunken px-2 py-1">
          <Button size="small" onClick={() => onEdit(false)}>
            Done
          </Button>
          <span className="flex-1" />
          {actions}
        </footer>
      </section>
    )
  }
  return (
    <section aria-label={label} className="group/text flex items-start gap-2 rounded-lg px-3 py-2 hover:bg-sunken">
      <div className="min-w-0 flex-1" onDoubleClick={() => onSource && onEdit(true)}>
        {source.trim() === '' ? (
          <p className="text-dense text-muted">Empty text</p>
        ) : isPlain ? (
          <pre className="overflow-x-auto text-small whitespace-pre-wrap">{source}</pre>
        ) : (
          <Markdown text={source} />
        )}
      </div>
      <div className="flex shrink-0 items-center opacity-0 group-focus-within/text:opacity-100 group-hover/text:opacity-100 max-md:opacity-100">
        {onSource && (
          <Button size="small" look="quiet" icon={<Pencil aria-hidden />} onClick={() => onEdit(true)}>
            Edit
          </Button>
        )}
        {actions}
      </div>
    </section>
  )
}
