import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'

interface PanelProps {
  title: string
  onClose: () => void
  children: ReactNode
}

/** What is open beside the files. */
export function Panel({ title, onClose, children }: PanelProps) {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex h-10 shrink-0 items-center justify-between border-b border-line bg-canvas pr-2 pl-4">
        <h2 className="text-dense font-semibold">{title}</h2>
        <IconButton label={`Close ${title.toLowerCase()}`} size="small" icon={<X aria-hidden />} onClick={onClose} />
      </header>
      {children}
    </div>
  )
}
