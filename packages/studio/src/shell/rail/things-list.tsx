import { Link, useLocation } from '@tanstack/react-router'
import { Pin, PinOff } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'
import { isSame, thingAt, thingKinds, thingLink, togglePin, type Thing } from '../recent/things.ts'
import { useThings } from '../recent/use-things.ts'
import { Flyout } from './flyout.tsx'

const shownRecent = 6

/** What this person pinned, and what they looked at last. */
export function ThingsList({ folded }: { folded: boolean }) {
  const { things } = useThings()
  const recent = things.recent.filter((one) => !things.pinned.some((pinned) => isSame(pinned, one)))
  return (
    <>
      <Section label="Pinned" things={things.pinned} folded={folded} isPinned />
      {/* folded, an icon without a name is only worth its room where somebody chose it */}
      {!folded && <Section label="Recent" things={recent.slice(0, shownRecent)} folded={folded} isPinned={false} />}
    </>
  )
}

interface SectionProps {
  label: string
  things: readonly Thing[]
  folded: boolean
  isPinned: boolean
}

function Section({ label, things, folded, isPinned }: SectionProps) {
  if (things.length === 0) return null
  return (
    <section aria-label={label} className="mt-3 flex flex-col gap-0.5 border-t border-line pt-3">
      {!folded && <h2 className="px-2.5 pb-0.5 text-small text-muted">{label}</h2>}
      <ul className="flex flex-col gap-0.5">
        {things.map((thing) => (
          <li key={`${thing.kind} ${thing.id}`} className="group/thing relative">
            <ThingLink thing={thing} folded={folded} />
            {!folded && <PinButton thing={thing} isPinned={isPinned} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function ThingLink({ thing, folded }: { thing: Thing; folded: boolean }) {
  const { pathname } = useLocation()
  const Icon = thingKinds[thing.kind].icon
  const at = thingAt(pathname)
  return (
    <Link
      {...thingLink(thing)}
      aria-current={at && isSame(at, thing) ? 'page' : undefined}
      title={folded ? undefined : thing.title}
      className="group relative flex h-8 items-center gap-2.5 rounded-md px-2.5 text-dense text-muted transition-colors hover:bg-hover hover:text-text aria-[current=page]:bg-pressed aria-[current=page]:text-text"
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {folded ? <Flyout label={thing.title} /> : <span className="min-w-0 flex-1 truncate pr-6">{thing.title}</span>}
    </Link>
  )
}

function PinButton({ thing, isPinned }: { thing: Thing; isPinned: boolean }) {
  const { change } = useThings()
  const Icon = isPinned ? PinOff : Pin
  return (
    <button
      type="button"
      aria-label={`${isPinned ? 'Unpin' : 'Pin'} ${thing.title}`}
      title={isPinned ? 'Unpin' : 'Pin'}
      onClick={() => change((now) => togglePin(now, thing))}
      className={classNames(
        'absolute top-1 right-1 flex size-6 items-center justify-center rounded-md text-muted hover:bg-pressed hover:text-text',
        'opacity-0 group-hover/thing:opacity-100 focus-visible:opacity-100',
      )}
    >
      <Icon aria-hidden className="size-3.5" />
    </button>
  )
}
