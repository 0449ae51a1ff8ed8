import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../icon-button.tsx'
import { copyText } from './copy-text.ts'

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <IconButton
      label={copied ? 'Copied' : label}
      size="small"
      icon={copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      onClick={() => void copyText(text).then(setCopied)}
      onBlur={() => setCopied(false)}
    />
  )
}
