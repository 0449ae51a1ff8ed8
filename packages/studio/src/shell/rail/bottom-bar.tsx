import { Link, useLocation } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { isWithin, places, railPlaces } from '../places.ts'
import { WaitingCount } from './waiting-count.tsx'

const loadSheet = () => import('./more-sheet.tsx')
const MoreSheet = lazy(async () => ({ default: (await loadSheet()).MoreSheet }))

const itemClass =
  'relative flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 rounded-md text-[11px] leading-4 font-medium text-muted aria-[current=page]:text-accent-text'
const { home, inbox, chat, workspaces } = places
const shown = [home, inbox, chat, workspaces]

/** The rail of narrow screens: four places, and a sheet with the rest. */
export function BottomBar() {
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  const isElsewhere = railPlaces.some((place) => !shown.includes(place as typeof home) && isWithin(place, pathname))
  return (
    <nav
      aria-label="Places"
      className="fixed inset-x-0 bottom-0 z-30 flex h-[calc(56px+env(safe-area-inset-bottom))] items-stretch gap-1 border-t border-line bg-surface px-2 py-1 pb-[calc(4px+env(safe-area-inset-bottom))] md:hidden"
    >
      {shown.map((place) => (
        <Link
          key={place.label}
          to={place.pages[0].to}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={isWithin(place, pathname) ? 'page' : undefined}
          className={itemClass}
        >
          <place.icon aria-hidden className="size-5" />
          {place.label}
          {place === inbox && <WaitingCount className="absolute top-0 right-[calc(50%-20px)]" />}
        </Link>
      ))}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-current={isElsewhere ? 'page' : undefined}
        onPointerEnter={() => void loadSheet()}
        onClick={() => setOpen(true)}
        className={itemClass}
      >
        <Ellipsis aria-hidden className="size-5" />
        More
      </button>
      <Suspense>{open && <MoreSheet onClose={() => setOpen(false)} />}</Suspense>
    </nav>
  )
}
