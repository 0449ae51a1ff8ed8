import { Kbd } from '../../ui/text/kbd.tsx'

const keys = [
  ['j k', 'move'],
  ['a', 'approve'],
  ['r', 'reject'],
  ['e', 'dismiss'],
  ['enter', 'open'],
] as const

/** The keys of the inbox, below its list. */
export function KeyLegend() {
  return (
    <ul
      aria-label="Keys"
      className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-5 py-2 text-small text-muted"
    >
      {keys.map(([key, does]) => (
        <li key={key} className="flex items-center gap-1.5">
          <Kbd keys={key} /> {does}
        </li>
      ))}
    </ul>
  )
}
