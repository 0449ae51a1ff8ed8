import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { meQuery } from './data/access/me.ts'
import { parseAuditFilters } from './pages/settings/audit/audit-filters.ts'
import { opensCreate, shell } from './root-routes.ts'

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings-layout.tsx'), 'SettingsLayout'),
})

const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: async ({ context }) => {
    const me = await context.queryClient.ensureQueryData(meQuery)
    throw redirect({ to: me?.team ? '/settings/overview' : '/settings/profile', replace: true })
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

const overview = createRoute({
  getParentRoute: () => ofTeam,
  path: '/overview',
  component: lazyRouteComponent(() => import('./pages/settings/overview/overview-page.tsx'), 'OverviewPage'),
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
  component: lazyRouteComponent(() => import('./pages/settings/people/members-page.tsx'), 'MembersPage'),
})

const keys = createRoute({
  getParentRoute: () => ofTeam,
  path: '/keys',
  validateSearch: ({ create }: { create?: unknown }) => opensCreate(create),
  component: lazyRouteComponent(() => import('./pages/settings/keys-page.tsx'), 'KeysPage'),
})

const models = createRoute({
  getParentRoute: () => ofTeam,
  path: '/models',
  component: lazyRouteComponent(() => import('./pages/settings/models-page.tsx'), 'ModelsPage'),
})

const approvalRules = createRoute({
  getParentRoute: () => ofTeam,
  path: '/approval-rules',
  component: lazyRouteComponent(() => import('./pages/approvals/approval-rules-page.tsx'), 'ApprovalRulesPage'),
})

const mcpServers = createRoute({
  getParentRoute: () => ofTeam,
  path: '/mcp-servers',
  validateSearch: ({ name, failed, create }: { name?: unknown; failed?: unknown; create?: unknown }) => ({
    ...(typeof name === 'string' && { name }),
    ...(typeof failed === 'string' && { failed }),
    ...opensCreate(create),
  }),
  component: lazyRouteComponent(() => import('./pages/settings/mcp/mcp-servers-page.tsx'), 'McpServersPage'),
})

const quotas = createRoute({
  getParentRoute: () => ofTeam,
  path: '/quotas',
  component: lazyRouteComponent(() => import('./pages/settings/quotas-page.tsx'), 'QuotasPage'),
})

const packages = createRoute({
  getParentRoute: () => ofTeam,
  path: '/packages',
  component: lazyRouteComponent(() => import('./pages/settings/packages/packages-page.tsx'), 'PackagesPage'),
})

const mcp = createRoute({
  getParentRoute: () => ofTeam,
  path: '/mcp',
  component: lazyRouteComponent(() => import('./pages/settings/mcp/mcp-page.tsx'), 'McpPage'),
})

const languages = createRoute({
  getParentRoute: () => ofTeam,
  path: '/languages',
  component: lazyRouteComponent(() => import('./pages/settings/languages-page.tsx'), 'LanguagesPage'),
})

const audit = createRoute({
  getParentRoute: () => ofTeam,
  path: '/audit',
  validateSearch: parseAuditFilters,
  component: lazyRouteComponent(() => import('./pages/settings/audit/audit-page.tsx'), 'AuditPage'),
})

/** Settings of a person and of a team. */
export const settingsRoutes = settings.addChildren([
  settingsStart,
  profile,
  appearance,
  ofTeam.addChildren([
    overview,
    team,
    members,
    models,
    approvalRules,
    keys,
    mcp,
    mcpServers,
    quotas,
    languages,
    packages,
    audit,
  ]),
])
