import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { copyText } from '../../../ui/copy-text.ts'
import { IconButton } from '../../../ui/icon-button.tsx'

export function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <IconButton
      label={copied ? 'Copied' : 'Copy'}
      size="small"
      icon={copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      onClick={() => void copyText(text).then(setCopied)}
      onBlur={() => setCopied(false)}
    />
  )
}
