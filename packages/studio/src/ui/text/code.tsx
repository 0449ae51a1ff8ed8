import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../icon-button.tsx'
import { copyText } from './copy-text.ts'

/** A block of code with its copy button. */
export function Code({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <div className="group relative rounded-md border border-line bg-sunken">
      <pre tabIndex={0} aria-label={label} className="mr-9 overflow-x-auto px-3 py-2 text-small leading-5">
        <code>{text}</code>
      </pre>
      <div className="absolute top-0.5 right-0.5">
        <IconButton
          label={copied ? 'Copied' : 'Copy'}
          size="small"
          icon={copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          onClick={() => void copyText(text).then(setCopied)}
          onBlur={() => setCopied(false)}
        />
      </div>
    </div>
  )
}
