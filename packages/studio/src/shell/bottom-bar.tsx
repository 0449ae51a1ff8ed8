import { Link, useLocation } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { places } from './places.ts'
import { useShell } from './shell-context.ts'
import { TeamSwitcher } from './team-switcher.tsx'
import { WaitingCount } from './waiting-count.tsx'

const itemClass =
  'relative flex min-w-14 flex-1 flex-col items-center justify-center gap-0.5 rounded-md text-[11px] leading-4 font-medium text-muted'

/** The rail of narrow screens. */
export function BottomBar() {
  const { openPalette } = useShell()
  const bar = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // there are more places than fit
  useEffect(() => {
    bar.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  return (
    <nav
      ref={bar}
      aria-label="Places"
      className="fixed inset-x-0 bottom-0 z-30 flex h-[calc(56px+env(safe-area-inset-bottom))] items-stretch gap-1 overflow-x-auto border-t border-line bg-surface px-2 py-1 pb-[calc(4px+env(safe-area-inset-bottom))] md:hidden"
    >
      {places.map(({ to, label, icon: Icon, hasPagesBelow, hasCount }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: !hasPagesBelow }}
          className={`${itemClass} aria-[current=page]:text-accent-text`}
        >
          <Icon aria-hidden className="size-5" />
          {label}
          {hasCount && <WaitingCount className="absolute top-0 right-1" />}
        </Link>
      ))}
      <button type="button" onClick={openPalette} className={itemClass}>
        <Search aria-hidden className="size-5" />
        Search
      </button>
      <TeamSwitcher narrow />
    </nav>
  )
}
