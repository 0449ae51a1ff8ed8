import { FileCode2 } from 'lucide-react'
import { classNames } from '../../../ui/class-names.ts'
import type { Mentions } from './use-mentions.ts'

/** Files to choose from, above what is typed. */
export function MentionList({ listId, found, current, mark, pick }: Mentions) {
  return (
    <div
      id={listId}
      role="listbox"
      aria-label="Files to mention"
      className="absolute bottom-full left-0 z-20 mb-1 max-h-72 w-full max-w-112 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-float"
    >
      {found.map((path, index) => (
        <div
          key={path}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === current}
          onPointerMove={() => mark(index)}
          // the field keeps the focus
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => pick(path)}
          className={classNames(
            'flex h-8 items-center gap-2 rounded-sm px-2 text-dense select-none max-md:h-11',
            index === current && 'bg-hover',
          )}
        >
          <FileCode2 aria-hidden className="size-4 shrink-0 text-muted" />
          <span className="truncate">{path}</span>
        </div>
      ))}
    </div>
  )
}
