import './code-colours.css'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../ui/copy-text.ts'
import type { CodeToken } from './highlight-code.ts'

/** Code in an answer: its language, its colours once they are here, and a button that copies it. */
export function CodeBlock({ text, language }: { text: string; language: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <div className="overflow-clip rounded-md border border-line bg-surface">
      <div className="flex h-8 items-center justify-between border-b border-line bg-sunken pr-1 pl-3 text-small text-muted">
        <span className="font-mono">{language || 'text'}</span>
        <button
          type="button"
          onClick={() => void copyText(text).then(setCopied)}
          onBlur={() => setCopied(false)}
          className="inline-flex h-6 items-center gap-1.5 rounded-sm px-2 hover:bg-hover hover:text-text"
        >
          {copied ? <Check aria-hidden className="size-3.5" /> : <Copy aria-hidden className="size-3.5" />}
          {copied ? 'Copied' : 'Copy'}
        </button>
      </div>
      <CodeText text={text} language={language} />
    </div>
  )
}

/** Code without a frame. */
export function CodeText({ text, language, label = 'Code' }: { text: string; language: string; label?: string }) {
  const shown = text.replace(/\n+$/, '')
  const lines = useHighlighted(shown, language)
  return (
    <pre
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-120 overflow-auto px-3 py-2 text-small leading-5 [font-variant-ligatures:none]"
    >
      <code>
        {lines
          ? lines.map((line, index) => (
              <span key={index}>
                {line.map(({ content, color }, at) => (
                  <span key={at} style={color ? { color } : undefined}>
                    {content}
                  </span>
                ))}
                {'\n'}
              </span>
            ))
          : shown}
      </code>
    </pre>
  )
}

// long text is read, not looked at, and would keep the page busy
const longest = 30_000
const quietMs = 120

/** The colours of code, once it stopped growing. */
function useHighlighted(text: string, language: string): CodeToken[][] | undefined {
  const [found, setFound] = useState<{ text: string; language: string; lines: CodeToken[][] }>()
  useEffect(() => {
    if (language === '' || text.length > longest) return undefined
    let gone = false
    const timer = setTimeout(() => {
      import('./highlight-code.ts')
        .then(({ highlightCode }) => highlightCode(text, language))
        .then((lines) => !gone && lines && setFound({ text, language, lines }))
        .catch(() => undefined) // code without colours is still code
    }, quietMs)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [text, language])
  return found?.text === text && found.language === language ? found.lines : undefined
}
