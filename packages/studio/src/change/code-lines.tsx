import { formatBytes } from '@coherex/contract'
import { useState } from 'react'
import { useHighlighted } from '../markdown/use-highlighted.ts'
import { Button } from '../ui/button.tsx'
import { LineText } from './line-text.tsx'

// as much as anybody reads before asking for the rest
const mostAtFirst = 100_000

/** Code that somebody else wrote: its colours, and nothing in it is invisible. */
export function CodeLines({ text, language, label }: { text: string; language: string; label: string }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole || text.length <= mostAtFirst ? text.replace(/\n+$/, '') : text.slice(0, mostAtFirst)
  const lines = useHighlighted(shown, language)
  return (
    <>
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-120 overflow-auto px-3 py-2 text-small leading-5 wrap-anywhere whitespace-pre-wrap [font-variant-ligatures:none]"
      >
        <code>
          {lines ? (
            lines.map((tokens, index) => (
              <span key={index}>
                <LineText text="" tokens={tokens} />
                {'\n'}
              </span>
            ))
          ) : (
            <LineText text={shown} />
          )}
        </code>
      </pre>
      {shown.length < text.length - 1_000 && (
        <div className="flex items-center gap-3 border-t border-line px-3 py-1.5 text-small text-muted">
          The first {formatBytes(shown.length)} of {formatBytes(text.length)}
          <Button size="small" onClick={() => setWhole(true)}>
            Show all
          </Button>
        </div>
      )}
    </>
  )
}
