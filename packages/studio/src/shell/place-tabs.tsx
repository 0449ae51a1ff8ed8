import { Link, useLocation } from '@tanstack/react-router'
import { isWithin, type Place } from './places.ts'

/** The pages of a place as tabs, each with an address of its own. */
export function PlaceTabs({ place }: { place: Place }) {
  const { pathname } = useLocation()
  return (
    <nav aria-label={`Pages of ${place.label}`} className="flex gap-1 border-b border-line">
      {place.pages.map((page) => (
        <Link
          key={page.to}
          to={page.to}
          title={`G, then ${page.key.toUpperCase()}`}
          aria-current={isWithin({ ...place, pages: [page] }, pathname) ? 'page' : undefined}
          className="-mb-px flex h-9 items-center border-b-2 border-transparent px-2.5 text-dense font-medium text-muted transition-colors hover:text-text focus-visible:-outline-offset-2 aria-[current=page]:border-accent-text aria-[current=page]:text-text"
        >
          {page.label}
        </Link>
      ))}
    </nav>
  )
}
