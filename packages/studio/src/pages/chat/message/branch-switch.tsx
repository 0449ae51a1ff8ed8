import type { Message } from '@coherex/contract'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '../../../ui/icon-button.tsx'

interface BranchSwitchProps {
  message: Message
  disabled: boolean
  onShow: (messageId: string) => void
}

/** Which of several versions of a message is shown. */
export function BranchSwitch({ message: { id, siblings }, disabled, onShow }: BranchSwitchProps) {
  if (siblings.length < 2) return null
  const at = siblings.indexOf(id)
  const before = siblings[at - 1]
  const after = siblings[at + 1]
  return (
    <span className="inline-flex items-center" role="group" aria-label="Versions of this message">
      <IconButton
        label="Earlier version"
        size="small"
        icon={<ChevronLeft aria-hidden />}
        disabled={disabled || !before}
        onClick={() => before && onShow(before)}
      />
      <span className="text-small text-muted tabular">
        {at + 1} of {siblings.length}
      </span>
      <IconButton
        label="Later version"
        size="small"
        icon={<ChevronRight aria-hidden />}
        disabled={disabled || !after}
        onClick={() => after && onShow(after)}
      />
    </span>
  )
}
