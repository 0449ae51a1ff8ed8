import { classNames } from '../class-names.ts'
import { Time } from './time.tsx'

interface OpeningLineProps {
  isOpen: boolean
  onToggle: () => void
  /** What the line says; its time stands at its end. */
  line: React.ReactNode
  at: string
  /** Shown below while it is open. */
  children: React.ReactNode
}

/** An entry of a list that opens in place. */
export function OpeningLine({ isOpen, onToggle, line, at, children }: OpeningLineProps) {
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className={classNames(
          'flex w-full items-center gap-3 px-4 py-2.5 text-left text-dense hover:bg-hover focus-visible:-outline-offset-2',
          isOpen && 'bg-hover',
        )}
      >
        {line}
        <span className="text-muted">
          <Time at={at} />
        </span>
      </button>
      {isOpen && children}
    </li>
  )
}
