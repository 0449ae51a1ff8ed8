import { Link } from '@tanstack/react-router'
import { PanelLeft, Search } from 'lucide-react'
import { classNames } from '../ui/class-names.ts'
import { Kbd } from '../ui/kbd.tsx'
import { Logo } from './logo.tsx'
import { places } from './places.ts'
import { useShell } from './shell-context.ts'
import { TeamSwitcher } from './team-switcher.tsx'
import { WaitingCount } from './waiting-count.tsx'

interface RailProps {
  collapsed: boolean
  onToggle: () => void
}

const itemClass =
  'group relative flex h-8 items-center gap-2.5 rounded-md px-2.5 text-dense font-medium text-muted transition-colors hover:bg-hover hover:text-text'

export function Rail({ collapsed, onToggle }: RailProps) {
  const { openPalette } = useShell()
  return (
    <aside
      className={classNames(
        'sticky top-0 z-30 flex h-dvh shrink-0 flex-col border-r border-line bg-canvas max-md:hidden',
        collapsed ? 'w-14' : 'w-54',
      )}
    >
      <div className={classNames('flex h-14 items-center px-2.5', collapsed ? 'justify-center' : 'justify-between')}>
        <Link to="/" aria-label="Coherex, home" className="flex items-center gap-2 rounded-md p-1">
          <Logo />
          {!collapsed && <span className="text-body font-semibold tracking-[-0.01em]">Coherex</span>}
        </Link>
        {!collapsed && <RailToggle collapsed={collapsed} onToggle={onToggle} />}
      </div>
      <nav aria-label="Places" className="flex flex-1 flex-col gap-0.5 px-2.5">
        {collapsed && <RailToggle collapsed={collapsed} onToggle={onToggle} />}
        <button
          type="button"
          onClick={openPalette}

          className={classNames(itemClass, 'mb-2')}
        >
          <Search aria-hidden className="size-4 shrink-0" />
          {collapsed ? <Flyout label="Search" keys="mod k" /> : <RailLabel label="Search" keys="mod k" always />}
        </button>
        {places.map(({ to, label, icon: Icon, key, hasPagesBelow, hasCount }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: !hasPagesBelow }}
            className={classNames(itemClass, 'aria-[current=page]:bg-pressed aria-[current=page]:text-text')}
          >
            <Icon aria-hidden className="size-4 shrink-0" />
            {collapsed ? <Flyout label={label} keys={`g ${key}`} /> : <RailLabel label={label} keys={`g ${key}`} />}
            {hasCount && <WaitingCount className={collapsed ? 'absolute -top-1 -right-1' : ''} />}
          </Link>
        ))}
      </nav>
      <div className="border-t border-line p-2">
        <TeamSwitcher collapsed={collapsed} />
      </div>
    </aside>
  )
}

function RailToggle({ collapsed, onToggle }: RailProps) {
  const label = collapsed ? 'Widen navigation' : 'Narrow navigation'
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

/** A name for the ears and a tooltip in plain CSS: the rail is part of the first load, which has no room for more. */
function Flyout({ label, keys }: { label: string; keys: string }) {
  return (
    <>
      <span className="sr-only">{label}</span>
      <span
        aria-hidden
        className="pointer-events-none invisible absolute top-1/2 left-full z-50 ml-2 flex -translate-y-1/2 items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-small font-normal whitespace-nowrap text-text shadow-float group-hover:visible group-hover:delay-300 group-focus-visible:visible"
      >
        {label}
        <Kbd keys={keys} />
      </span>
    </>
  )
}
