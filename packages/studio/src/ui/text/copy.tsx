import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { copyText } from './copy-text.ts'

/** True for a moment after copying, so that the button can say so. */
function useCopied(text: string): [boolean, () => void] {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [copied])
  return [copied, () => void copyText(text).then(setCopied)]
}

/** Text to pass on or keep: whole, selectable, with a button that copies it. */
export function CopyField({ text, label }: { text: string; label: string }) {
  const [copied, copy] = useCopied(text)
  return (
    <div className="flex items-stretch gap-2">
      <output
        aria-label={label}
        className="min-w-0 flex-1 rounded-md border border-line-strong bg-sunken px-2.5 py-1.5 font-mono text-small break-all select-all"
      >
        {text}
      </output>
      <Button className="h-auto! min-h-8" onClick={copy} icon={copied ? <Check aria-hidden /> : <Copy aria-hidden />}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}

/** An id: its start on screen, all of it in the clipboard. */
export function ShortId({ id, className }: { id: string; className?: string }) {
  const [copied, copy] = useCopied(id)
  const Icon = copied ? Check : Copy
  return (
    <button
      type="button"
      onClick={(event) => {
        event.stopPropagation()
        copy()
      }}
      title={id}
      className={classNames(
        'group inline-flex items-center gap-1 rounded-sm px-1 font-mono text-small text-muted hover:bg-hover hover:text-text',
        className,
      )}
    >
      <span className="sr-only">{copied ? 'Copied ' : 'Copy '}</span>
      {shortenId(id)}
      <Icon aria-hidden className={classNames('size-3', !copied && 'opacity-60 group-hover:opacity-100')} />
    </button>
  )
}

function shortenId(id: string): string {
  const split = id.lastIndexOf('_') + 1
  return id.length - split > 8 ? `${id.slice(0, split + 6)}…` : id
}
