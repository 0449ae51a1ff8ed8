import { Link, useLocation } from '@tanstack/react-router'
import { PanelLeft, Search } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'
import { Kbd } from '../../ui/text/kbd.tsx'
import { Logo } from '../logo.tsx'
import { isWithin, railPlaces, type Place } from '../places.ts'
import { useShell } from '../shell-context.ts'
import { Flyout } from './flyout.tsx'
import { NewButton } from './new-button.tsx'
import { railItemClass } from './rail-item-class.ts'
import { TeamSwitcher } from './team-switcher.tsx'
import { ThingsList } from './things-list.tsx'
import { WaitingCount } from './waiting-count.tsx'

interface RailProps {
  folded: boolean
  onToggle: () => void
}

export function Rail({ folded, onToggle }: RailProps) {
  const { openPalette } = useShell()
  return (
    <aside
      className={classNames(
        'sticky top-0 z-30 flex h-dvh shrink-0 flex-col border-r border-line bg-canvas max-md:hidden',
        folded ? 'w-14' : 'w-54',
      )}
    >
      <div
        className={classNames('flex h-14 shrink-0 items-center px-2.5', folded ? 'justify-center' : 'justify-between')}
      >
        <Link to="/" aria-label="Coherex, home" className="flex items-center gap-2 rounded-md p-1">
          <Logo />
          {!folded && <span className="text-body font-semibold tracking-[-0.01em]">Coherex</span>}
        </Link>
        {!folded && <RailToggle folded={folded} onToggle={onToggle} />}
      </div>
      {/* folded, the tooltips must reach out of it: there it is short enough not to scroll */}
      <nav
        aria-label="Places"
        className={classNames('flex min-h-0 flex-1 flex-col px-2.5 pb-3', !folded && 'overflow-x-clip overflow-y-auto')}
      >
        <div className="mb-3 flex flex-col gap-0.5">
          {folded && <RailToggle folded={folded} onToggle={onToggle} />}
          <button type="button" onClick={openPalette} className={railItemClass}>
            <Search aria-hidden className="size-4 shrink-0" />
            {folded ? <Flyout label="Search" keys="mod k" /> : <RailLabel label="Search" keys="mod k" always />}
          </button>
          <NewButton folded={folded} />
        </div>
        <ul className="flex flex-col gap-0.5">
          {railPlaces.map((place) => (
            <li key={place.label}>
              <PlaceLink place={place} folded={folded} />
            </li>
          ))}
        </ul>
        <ThingsList folded={folded} />
      </nav>
      <div className="border-t border-line p-2">
        <TeamSwitcher collapsed={folded} />
      </div>
    </aside>
  )
}

function PlaceLink({ place, folded }: { place: Place; folded: boolean }) {
  const { pathname } = useLocation()
  const { label, icon: Icon, pages, hasCount } = place
  const [{ to, key }] = pages
  const keys = `g ${key}`
  return (
    <Link
      to={to}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={isWithin(place, pathname) ? 'page' : undefined}
      title={folded || pages.length === 1 ? undefined : pages.map((page) => page.label).join(', ')}
      className={classNames(railItemClass, 'aria-[current=page]:bg-pressed aria-[current=page]:text-text')}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {folded ? <Flyout label={label} keys={keys} /> : <RailLabel label={label} keys={keys} />}
      {hasCount && <WaitingCount className={folded ? 'absolute -top-1 -right-1' : ''} />}
    </Link>
  )
}

function RailToggle({ folded, onToggle }: RailProps) {
  const label = folded ? 'Expand navigation' : 'Collapse navigation'
  return (
    <button
      type="button"
      onClick={onToggle}
      className="group relative flex h-8 min-w-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
    >
      <PanelLeft aria-hidden className="size-4" />
      <Flyout label={label} keys="[" />
    </button>
  )
}

function RailLabel({ label, keys, always }: { label: string; keys: string; always?: boolean }) {
  return (
    <>
      <span className="flex-1 text-left">{label}</span>
      <span
        aria-hidden
        className={always ? undefined : 'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100'}
      >
        <Kbd keys={keys} />
      </span>
    </>
  )
}
