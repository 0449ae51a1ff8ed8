import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, lazyRouteComponent, redirect, type RouterHistory } from '@tanstack/react-router'
import { meQuery } from './data/access/me.ts'
import { fileListQuery } from './data/file.ts'
import { workspaceQuery } from './data/workspace.ts'
import { entryRoutes } from './entry-routes.ts'
import { parseThreadPlace, type ThreadPlace } from './pages/chat/list/thread-place.ts'
import { parseInboxShow } from './pages/inbox/inbox-kinds.ts'
import { parseWorkspacePlace } from './pages/workspaces/workspace-place.ts'
import { opensCreate, root, shell } from './root-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import { ErrorPage } from './shell/error-page.tsx'
import { LoadingPage } from './shell/loading-page.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'

const wordsSought = (search: unknown): { search?: string } => (search ? { search: String(search).slice(0, 100) } : {})

/** A list that may be searched, with the dialog that adds to it. */
const catalogueSearch = ({ search, create }: { search?: unknown; create?: unknown }) => ({
  ...wordsSought(search),
  ...opensCreate(create),
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
  validateSearch: ({ search, archived, create }: { search?: unknown; archived?: unknown; create?: unknown }) => ({
    ...catalogueSearch({ search, create }),
    ...(archived === true ? { archived } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/workspaces/workspaces-page.tsx'), 'WorkspacesPage'),
})

const workspace = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/workspaces/$id',
  validateSearch: parseWorkspacePlace,
  staticData: { isWorkbench: true },
  // on their way with the page that shows them, and not only once it is here
  loader({ context: { queryClient }, params: { id } }) {
    void queryClient.prefetchQuery(workspaceQuery(id))
    void queryClient.prefetchQuery(fileListQuery(id))
  },
  component: lazyRouteComponent(() => import('./pages/workspaces/workspace-page.tsx'), 'WorkspacePage'),
})

const threads = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/threads',
  // the agent to begin with, and what the list beside it shows
  validateSearch: ({
    agent,
    ...place
  }: { agent?: unknown } & Record<string, unknown>): ThreadPlace & { agent?: string } => ({
    ...(typeof agent === 'string' ? { agent } : {}),
    ...parseThreadPlace(place),
  }),
  component: lazyRouteComponent(() => import('./pages/chat/chat-page.tsx'), 'ChatPage'),
})

const thread = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/threads/$id',
  validateSearch: parseThreadPlace,
  component: lazyRouteComponent(() => import('./pages/chat/thread-page.tsx'), 'ThreadPage'),
})

const agents = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/agents',
  validateSearch: catalogueSearch,
  component: lazyRouteComponent(() => import('./pages/agents/agents-page.tsx'), 'AgentsPage'),
})

const agent = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/agents/$name',
  staticData: { isWorkbench: true },
  component: lazyRouteComponent(() => import('./pages/agents/agent-page.tsx'), 'AgentPage'),
})

// with one step more than an agent: agents may be called anything
const newAgent = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/agents/new/$template',
  staticData: { isWorkbench: true },
  component: lazyRouteComponent(() => import('./pages/agents/new-agent-page.tsx'), 'NewAgentPage'),
})

const tools = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/tools',
  // read by the page itself, which knows what is a filter
  validateSearch: (address: Record<string, unknown>) => address,
  component: lazyRouteComponent(() => import('./pages/tools/tools-page.tsx'), 'ToolsPage'),
})

const tool = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/tools/$name',
  // the tab in sight, and a run that becomes a test
  validateSearch: ({ tab, run: id }: { tab?: unknown; run?: unknown }) => ({
    ...(typeof tab === 'string' ? { tab } : {}),
    ...(typeof id === 'string' && /^run_\w+$/.test(id) ? { run: id } : {}),
  }),
  staticData: { isWorkbench: true },
  component: lazyRouteComponent(() => import('./pages/tools/tool-page.tsx'), 'ToolPage'),
})

const skills = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/skills',
  validateSearch: catalogueSearch,
  component: lazyRouteComponent(() => import('./pages/skills/skills-page.tsx'), 'SkillsPage'),
})

const skill = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/skills/$name',
  staticData: { isWorkbench: true },
  component: lazyRouteComponent(() => import('./pages/skills/skill-page.tsx'), 'SkillPage'),
})

const newSkill = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/skills/new/$starter',
  staticData: { isWorkbench: true },
  component: lazyRouteComponent(() => import('./pages/skills/new-skill-page.tsx'), 'NewSkillPage'),
})

const gallery = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/gallery',
  component: lazyRouteComponent(() => import('./pages/shares/gallery-page.tsx'), 'GalleryPage'),
})

const galleryItem = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/gallery/$id',
  component: lazyRouteComponent(() => import('./pages/shares/gallery-item-page.tsx'), 'GalleryItemPage'),
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

const inbox = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/inbox',
  validateSearch: parseInboxShow,
  component: lazyRouteComponent(() => import('./pages/inbox/inbox-page.tsx'), 'InboxPage'),
})

// below the list, which stays as it is while one goes from item to item
const inboxItem = createRoute({ getParentRoute: () => inbox, path: '/$id' })

const scratch = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/scratch',
  // it leads to one
  staticData: { isWorkbench: true },
  // a run whose program is to be loaded
  validateSearch: ({ run: id }: { run?: unknown }) =>
    typeof id === 'string' && /^run_\w+$/.test(id) ? { run: id } : {},
  component: lazyRouteComponent(() => import('./pages/scratch/scratch-page.tsx'), 'ScratchPage'),
})

const sandboxes = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/sandboxes',
  // the page knows which states there are
  validateSearch: ({ status, create }: { status?: unknown; create?: unknown }) => ({
    ...(typeof status === 'string' ? { status } : {}),
    ...opensCreate(create),
  }),
  component: lazyRouteComponent(() => import('./pages/sandboxes/sandboxes-page.tsx'), 'SandboxesPage'),
})

const sandbox = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/sandboxes/$id',
  staticData: { isWorkbench: true },
  component: lazyRouteComponent(() => import('./pages/sandboxes/sandbox-page.tsx'), 'SandboxPage'),
})

const variables = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/variables',
  validateSearch: ({ search }: { search?: unknown }) => wordsSought(search),
  component: lazyRouteComponent(() => import('./pages/data/variables-page.tsx'), 'VariablesPage'),
})

const secrets = createRoute({
  getParentRoute: () => teamPlaces,
  path: '/secrets',
  validateSearch: ({ create }: { create?: unknown }) => opensCreate(create),
  component: lazyRouteComponent(() => import('./pages/data/secrets-page.tsx'), 'SecretsPage'),
})

const routeTree = root.addChildren([
  ...entryRoutes,
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
      tools,
      tool,
      skills,
      skill,
      newSkill,
      gallery,
      galleryItem,
      run,
      executions,
      execution,
      inbox.addChildren([inboxItem]),
      variables,
      secrets,
      scratch,
      sandboxes,
      sandbox,
    ]),
    settingsRoutes,
  ]),
])

/** The pages of the studio; tests give them a history of their own. */
export function createStudioRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient },
    ...(history && { history }),
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingMs: 300,
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
  })
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The rail folds to make room for docks. */
    isWorkbench?: boolean
  }
  interface Register {
    router: ReturnType<typeof createStudioRouter>
  }
}
