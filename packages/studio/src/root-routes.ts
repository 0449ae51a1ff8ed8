import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { meQuery } from './data/access/me.ts'
import { newAddress } from './old-addresses.ts'
import { keepDraftsOf } from './ui/state/draft.ts'

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  beforeLoad({ location }) {
    const href = newAddress(location.pathname, location.search)
    if (href) throw redirect({ href, replace: true })
  },
})

/** Pages below it are for people who are signed in and set up. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ context, location }) => {
    const me = await context.queryClient.ensureQueryData(meQuery)
    if (!me) throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { next: location.href } })
    if (!me.setupDone) throw redirect({ to: '/setup' })
    keepDraftsOf(me.person.id)
  },
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})

/** Whether a page opens the dialog that adds to it. */
export const opensCreate = (create: unknown): { create?: true } => (create === true ? { create } : {})
