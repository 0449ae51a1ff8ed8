import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useMe } from '../../data/access/me.ts'
import { settingsPages } from '../../shell/settings-pages.ts'

/** The pages of the settings beside their list; on narrow screens the list is a strip on top. */
export function SettingsLayout() {
  const { team } = useMe()
  const { pathname } = useLocation()
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // on a narrow screen the strip is longer than the screen
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  const groups = [
    { label: 'You', pages: settingsPages.filter(({ ofTeam }) => !ofTeam) },
    ...(team ? [{ label: team.name, pages: settingsPages.filter(({ ofTeam }) => ofTeam) }] : []),
  ]
  return (
    <div className="flex min-h-0 min-w-0 flex-1 max-lg:flex-col">
      <nav
        ref={nav}
        aria-label="Settings"
        className="sticky top-0 z-20 shrink-0 border-line bg-canvas max-lg:flex max-lg:gap-1 max-lg:overflow-x-auto max-lg:border-b max-lg:px-3 max-lg:py-2 lg:h-dvh lg:w-52 lg:overflow-y-auto lg:border-r lg:px-3 lg:py-5"
      >
        {groups.map((group) => (
          <div key={group.label} className="max-lg:contents lg:mb-5">
            <h2 className="truncate px-2.5 pb-1.5 text-small text-muted max-lg:hidden">{group.label}</h2>
            <ul className="flex gap-0.5 max-lg:gap-1 lg:flex-col">
              {group.pages.map(({ to, label, icon: Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-dense font-medium whitespace-nowrap text-muted transition-colors hover:bg-hover hover:text-text aria-[current=page]:bg-pressed aria-[current=page]:text-text max-lg:h-9"
                  >
                    <Icon aria-hidden className="size-4 shrink-0 max-lg:hidden" />
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="flex min-w-0 flex-1 flex-col">
        <Outlet />
      </div>
    </div>
  )
}
