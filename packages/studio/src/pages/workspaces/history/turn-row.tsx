import { ChevronRight, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Right } from '../../../data/access/rights.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Time } from '../../../ui/text/time.tsx'
import { groupTitle, type VersionGroup } from './group-versions.ts'

interface TurnRowProps {
  group: VersionGroup
  isShown: boolean
  mayWrite: Right
  onCompare: (from: number, to: number) => void
  onUndo: () => void
  /** Its versions one by one. */
  children: ReactNode
}

/** What an agent changed in one turn. */
export function TurnRow({ group, isShown, mayWrite, onCompare, onUndo, children }: TurnRowProps) {
  const [isOpen, setOpen] = useState(false)
  const [newest] = group
  const oldest = group.at(-1) ?? newest
  const title = groupTitle(group)
  return (
    <li className="border-b border-line">
      <div className={classNames('flex items-start gap-2.5 py-2.5 pr-2 pl-4', isShown && 'bg-accent-soft')}>
        <Avatar name={newest.author.name} size="small" />
        <div className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex max-w-full items-center gap-1 rounded-sm text-left text-dense font-medium"
          >
            <span className="truncate">{title}</span>
            <ChevronRight
              aria-hidden
              className={classNames('size-3.5 shrink-0 text-muted transition-transform', isOpen && 'rotate-90')}
            />
          </button>
          <span className="block truncate text-small text-muted">
            Versions {oldest.number}–{newest.number} · {newest.author.name} · <Time at={newest.at} />
          </span>
          <span className="mt-1 -ml-2 flex flex-wrap">
            <Button size="small" look="quiet" onClick={() => onCompare(oldest.number - 1, newest.number)}>
              Show changes
            </Button>
            {mayWrite.may && (
              <Button size="small" look="quiet" icon={<Undo2 aria-hidden />} onClick={onUndo}>
                Undo just this
              </Button>
            )}
          </span>
        </div>
      </div>
      {isOpen && (
        <ol aria-label={`Versions of: ${title}`} className="border-t border-line pl-4">
          {children}
        </ol>
      )}
    </li>
  )
}
