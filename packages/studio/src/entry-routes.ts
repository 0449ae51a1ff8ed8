import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { meQuery } from './data/access/me.ts'
import { root } from './root-routes.ts'
import { isInnerPath } from './shell/inner-path.ts'

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next, failed }: { next?: unknown; failed?: unknown }): { next?: string; failed?: string } => ({
    ...(isInnerPath(next) ? { next } : {}),
    // the way back from an OIDC provider that said no
    ...(failed ? { failed: String(failed) } : {}),
  }),
  beforeLoad: async ({ context, search }) => {
    // where the server cannot say who is there, the form is still the right page
    const me = await context.queryClient.ensureQueryData(meQuery).catch(() => null)
    if (me) throw redirect({ href: search.next ?? '/' })
  },
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot',
  component: lazyRouteComponent(() => import('./pages/sign-in/forgot-page.tsx'), 'ForgotPage'),
})

const linkQuery = createRoute({
  getParentRoute: () => root,
  path: '/link',
  validateSearch: ({ token }: { token?: unknown }) => ({ token: String(token ?? '') }),
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/link/$token', params: { token: search.token || 'missing' }, replace: true })
  },
})

const link = createRoute({
  getParentRoute: () => root,
  path: '/link/$token',
  component: lazyRouteComponent(() => import('./pages/sign-in/link-page.tsx'), 'LinkPage'),
})

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  beforeLoad: async ({ context }) => {
    const me = await context.queryClient.ensureQueryData(meQuery)
    if (!me) throw redirect({ to: '/sign-in' })
    if (me.setupDone) throw redirect({ to: '/' })
  },
  component: lazyRouteComponent(() => import('./pages/sign-in/setup-page.tsx'), 'SetupPage'),
})

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite/$token',
  component: lazyRouteComponent(() => import('./pages/sign-in/invite-page.tsx'), 'InvitePage'),
})

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset/$token',
  component: lazyRouteComponent(() => import('./pages/sign-in/reset-page.tsx'), 'ResetPage'),
})

const consent = createRoute({
  getParentRoute: () => root,
  path: '/oauth/authorize',
  beforeLoad: async ({ context }) => {
    const me = await context.queryClient.ensureQueryData(meQuery)
    const { pathname, search } = window.location
    if (!me) throw redirect({ to: '/sign-in', search: { next: pathname + search } })
    if (!me.setupDone) throw redirect({ to: '/setup' })
  },
  component: lazyRouteComponent(() => import('./pages/sign-in/consent-page.tsx'), 'ConsentPage'),
})

const design = createRoute({
  getParentRoute: () => root,
  path: '/design',
  component: lazyRouteComponent(() => import('./pages/design/design-page.tsx'), 'DesignPage'),
})

/** Pages outside the shell: for people who are not signed in yet, and for those whom a client sends here. */
export const entryRoutes = [signIn, forgot, linkQuery, link, setup, invite, reset, consent, design] as const
