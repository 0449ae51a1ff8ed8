import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface HomeLineProps {
  link: LinkProps
  icon: ReactNode
  children: ReactNode
  /** At the end of the line. */
  end?: ReactNode
}

/** One line of a card that leads to a page. */
export function HomeLine({ link, icon, children, end }: HomeLineProps) {
  return (
    <li className="border-b border-line last:border-0">
      <Link
        {...link}
        className="flex h-11 items-center gap-2.5 px-5 text-dense transition-colors hover:bg-hover focus-visible:-outline-offset-2 max-md:px-4 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
      >
        {icon}
        <span className="min-w-0 flex-1 truncate">{children}</span>
        {end && <span className="shrink-0 text-muted">{end}</span>}
      </Link>
    </li>
  )
}
