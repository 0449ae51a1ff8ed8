import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { meQuery } from './data/me.ts'
import { parseRunFilters } from './pages/runs/run-filters.ts'
import { parseAuditFilters } from './pages/settings/audit-filters.ts'
import { parseWorkspacePlace } from './pages/workspaces/workspace-place.ts'
import { ErrorPage } from './shell/error-page.tsx'
import { isInnerPath } from './shell/inner-path.ts'
import { LoadingPage } from './shell/loading-page.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { keepDraftsOf } from './ui/draft.ts'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()()

const wordsSought = (search: unknown): { search?: string } => (search ? { search: String(search).slice(0, 100) } : {})

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

const design = createRoute({
  getParentRoute: () => root,
  path: '/design',
  component: lazyRouteComponent(() => import('./pages/design/design-page.tsx'), 'DesignPage'),
})

/** Everything below is for people who are signed in and set up. */
const shell = createRoute({
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

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/home-page.tsx'), 'HomePage'),
})

/** Places of a team send those who are in none home, where they can make one. */
const teamPlaces = createRoute({
  getParentRoute: () => shell,
  id: 'team-places',
  beforeLoad: async ({ context }) => {
    const me = await context.queryClient.ensureQueryData(meQuery)
    if (me && !me.team) throw redirect({ to: '/' })
  },
})

const workspaces = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/workspaces',
  validateSearch: ({ search, archived }: { search?: unknown; archived?: unknown }) => ({
    ...wordsSought(search),
    ...(archived === true ? { archived } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/workspaces/workspaces-page.tsx'), 'WorkspacesPage'),
})

const workspace = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/workspaces/$id',
  validateSearch: parseWorkspacePlace,
  component: lazyRouteComponent(() => import('./pages/workspaces/workspace-page.tsx'), 'WorkspacePage'),
})

const threads = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/threads',
  // the agent to begin with, and what is looked for in the list beside it
  validateSearch: ({ agent, search }: { agent?: unknown; search?: unknown }): { agent?: string; search?: string } => ({
    ...(typeof agent === 'string' ? { agent } : {}),
    ...wordsSought(search),
  }),
  component: lazyRouteComponent(() => import('./pages/chat/chat-page.tsx'), 'ChatPage'),
})

const thread = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/threads/$id',
  validateSearch: ({ search }: { search?: unknown }) => wordsSought(search),
  component: lazyRouteComponent(() => import('./pages/chat/thread-page.tsx'), 'ThreadPage'),
})

const agents = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/agents',
  component: lazyRouteComponent(() => import('./pages/agents/agents-page.tsx'), 'AgentsPage'),
})

const agent = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/agents/$name',
  component: lazyRouteComponent(() => import('./pages/agents/agent-page.tsx'), 'AgentPage'),
})

// with one step more than an agent: agents may be called anything
const newAgent = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/agents/new/$template',
  component: lazyRouteComponent(() => import('./pages/agents/new-agent-page.tsx'), 'NewAgentPage'),
})

const skills = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/skills',
  component: lazyRouteComponent(() => import('./pages/skills/skills-page.tsx'), 'SkillsPage'),
})

const skill = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/skills/$name',
  component: lazyRouteComponent(() => import('./pages/skills/skill-page.tsx'), 'SkillPage'),
})

const newSkill = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/skills/new/$starter',
  component: lazyRouteComponent(() => import('./pages/skills/new-skill-page.tsx'), 'NewSkillPage'),
})

const runs = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/runs',
  validateSearch: parseRunFilters,
  component: lazyRouteComponent(() => import('./pages/runs/runs-page.tsx'), 'RunsPage'),
})

const run = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/runs/$id',
  component: lazyRouteComponent(() => import('./pages/runs/run-page.tsx'), 'RunPage'),
})

const executions = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/executions',
  // read by the page itself, which knows what is a filter
  validateSearch: (address: Record<string, unknown>) => address,
  component: lazyRouteComponent(() => import('./pages/executions/executions-page.tsx'), 'ExecutionsPage'),
})

const execution = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/executions/$id',
  component: lazyRouteComponent(() => import('./pages/executions/execution-page.tsx'), 'ExecutionPage'),
})

const approvals = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/approvals',
  component: lazyRouteComponent(() => import('./pages/approvals/approvals-page.tsx'), 'ApprovalsPage'),
})

const scratch = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/scratch',
  // a run whose program is to be loaded
  validateSearch: ({ run: id }: { run?: unknown }) =>
    typeof id === 'string' && /^run_\w+$/.test(id) ? { run: id } : {},
  component: lazyRouteComponent(() => import('./pages/scratch/scratch-page.tsx'), 'ScratchPage'),
})

const sandboxes = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/sandboxes',
  component: lazyRouteComponent(() => import('./pages/sandboxes/sandboxes-page.tsx'), 'SandboxesPage'),
})

const sandbox = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/sandboxes/$id',
  component: lazyRouteComponent(() => import('./pages/sandboxes/sandbox-page.tsx'), 'SandboxPage'),
})

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings-layout.tsx'), 'SettingsLayout'),
})

const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile', replace: true })
  },
})

const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  component: lazyRouteComponent(() => import('./pages/settings/profile-page.tsx'), 'ProfilePage'),
})

const appearance = createRoute({
  getParentRoute: () => settings,
  path: '/appearance',
  component: lazyRouteComponent(() => import('./pages/settings/appearance-page.tsx'), 'AppearancePage'),
})

/** Pages about a team send those who are in none back home, where they can make one. */
const ofTeam = createRoute({
  getParentRoute: () => settings,
  id: 'team-pages',
  beforeLoad: async ({ context }) => {
    const me = await context.queryClient.ensureQueryData(meQuery)
    if (me && !me.team) throw redirect({ to: '/' })
  },
})

const team = createRoute({
  getParentRoute: () => ofTeam,
  path: '/team',
  component: lazyRouteComponent(() => import('./pages/settings/team-page.tsx'), 'TeamPage'),
})

const members = createRoute({
  getParentRoute: () => ofTeam,
  path: '/members',
  validateSearch: ({ invite: open }: { invite?: unknown }) => (open === true ? { invite: true } : {}),
  component: lazyRouteComponent(() => import('./pages/settings/members-page.tsx'), 'MembersPage'),
})

const keys = createRoute({
  getParentRoute: () => ofTeam,
  path: '/keys',
  validateSearch: ({ create }: { create?: unknown }) => (create === true ? { create: true } : {}),
  component: lazyRouteComponent(() => import('./pages/settings/keys-page.tsx'), 'KeysPage'),
})

const secrets = createRoute({
  getParentRoute: () => ofTeam,
  path: '/secrets',
  validateSearch: ({ create }: { create?: unknown }) => (create === true ? { create: true } : {}),
  component: lazyRouteComponent(() => import('./pages/settings/secrets-page.tsx'), 'SecretsPage'),
})

const models = createRoute({
  getParentRoute: () => ofTeam,
  path: '/models',
  component: lazyRouteComponent(() => import('./pages/settings/models-page.tsx'), 'ModelsPage'),
})

const quotas = createRoute({
  getParentRoute: () => ofTeam,
  path: '/quotas',
  component: lazyRouteComponent(() => import('./pages/settings/quotas-page.tsx'), 'QuotasPage'),
})

const audit = createRoute({
  getParentRoute: () => ofTeam,
  path: '/audit',
  validateSearch: parseAuditFilters,
  component: lazyRouteComponent(() => import('./pages/settings/audit-page.tsx'), 'AuditPage'),
})

const routeTree = root.addChildren([
  signIn,
  forgot,
  linkQuery,
  link,
  setup,
  invite,
  reset,
  design,
  shell.addChildren([
    home,
    teamPlaces.addChildren([
      workspaces,
      workspace,
      threads,
      thread,
      agents,
      agent,
      newAgent,
      skills,
      skill,
      newSkill,
      runs,
      run,
      executions,
      execution,
      approvals,
      scratch,
      sandboxes,
      sandbox,
    ]),
    settings.addChildren([
      settingsStart,
      profile,
      appearance,
      ofTeam.addChildren([team, members, models, keys, secrets, quotas, audit]),
    ]),
  ]),
])

export function createStudioRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingMs: 300,
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createStudioRouter>
  }
}
