import { ChevronRight, PanelRightOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/icon-button.tsx'

interface BlockFrameProps {
  title: string
  /** Before the title: what is done with it. */
  lead?: ReactNode
  language: string
  version: number
  isFolded: boolean
  onFold: (isFolded: boolean) => void
  /** How it stands. */
  status?: ReactNode
  actions: ReactNode
  onBeside: (() => void) | undefined
  children: ReactNode
}

/** A block of a message with its bar. */
export function BlockFrame(props: BlockFrameProps) {
  const { title, lead, language, version, isFolded, onFold, status, actions, onBeside, children } = props
  return (
    <section
      aria-label={`Block: ${title}`}
      className="overflow-clip rounded-lg border border-line bg-surface focus-within:border-line-strong"
    >
      <header className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-sunken py-1 pr-1 pl-2 text-small">
        {lead}
        <span className="min-w-0 truncate font-medium">{title}</span>
        {title !== language && <span className="text-muted max-sm:hidden">{language}</span>}
        {version > 1 && <span className="text-muted tabular">v{version}</span>}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-1">
          {status}
          {actions}
          {onBeside && (
            <IconButton
              label="Open beside"
              size="small"
              className="w-7!"
              icon={<PanelRightOpen aria-hidden />}
              onClick={onBeside}
            />
          )}
          <IconButton
            label={isFolded ? 'Expand' : 'Fold'}
            size="small"
            className="w-7!"
            aria-expanded={!isFolded}
            icon={<ChevronRight aria-hidden className={isFolded ? '' : 'rotate-90'} />}
            onClick={() => onFold(!isFolded)}
          />
        </div>
      </header>
      {!isFolded && children}
    </section>
  )
}
