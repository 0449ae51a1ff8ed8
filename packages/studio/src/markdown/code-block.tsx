import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { BesideButton } from '../ui/beside/beside-button.tsx'
import { copyText } from '../ui/text/copy-text.ts'
import { useHighlighted } from './use-highlighted.ts'

interface CodeBlockProps {
  text: string
  language: string
  /** Of the fence: the file it is, or what it shows. */
  title?: string | undefined
}

/** Code in an answer: its title or language, its colours once they are here, and a button that copies it. */
export function CodeBlock({ text, language, title }: CodeBlockProps) {
  const [copied, setCopied] = useState(false)
  return (
    <div className="overflow-clip rounded-md border border-line bg-surface">
      <div className="flex h-8 items-center border-b border-line bg-sunken pr-1 pl-3 text-small text-muted">
        <span className="min-w-0 truncate font-mono">
          {title && <span className="font-medium text-text">{title}</span>}
          {title && language && ' · '}
          {language || (title ? '' : 'text')}
        </span>
        <span className="ml-auto" />
        <BesideButton
          item={{
            key: `code ${text}`,
            title: title ?? (language || 'Code'),
            content: <WholeCode text={text} language={language} title={title} />,
          }}
        />
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

/** Code that has the whole height of where it stands. */
function WholeCode({ text, language, title }: CodeBlockProps) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto [&_pre]:max-h-none">
      <CodeText text={text} language={language} label={`Code of ${title ?? (language || 'this block')}`} />
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
