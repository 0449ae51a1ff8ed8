import type { Route } from '../wire/route.ts'
import { agents } from './agents.ts'
import { approvals } from './approvals.ts'
import { artifacts } from './artifacts.ts'
import { attachments } from './attachments.ts'
import { audit } from './audit.ts'
import { executions } from './executions.ts'
import { inbox } from './inbox.ts'
import { keys } from './keys.ts'
import { mcpServers } from './mcp-servers.ts'
import { mcp } from './mcp.ts'
import { models } from './models.ts'
import { oauth } from './oauth.ts'
import { openai } from './openai.ts'
import { packages } from './packages.ts'
import { runs } from './runs.ts'
import { sandboxes } from './sandboxes/sandboxes.ts'
import { templates } from './sandboxes/templates.ts'
import { search } from './search.ts'
import { secrets } from './secrets.ts'
import { shares } from './shares.ts'
import { signIn } from './sign-in.ts'
import { skills } from './skills.ts'
import { system } from './system.ts'
import { teams } from './teams.ts'
import { threads } from './threads.ts'
import { tools } from './tools.ts'
import { triggers } from './triggers.ts'
import { variables } from './variables.ts'
import { workspaces } from './workspaces/workspaces.ts'

/** Every HTTP operation of the product, by noun. */
export const routes = {
  signIn,
  teams,
  keys,
  secrets,
  audit,
  runs,
  sandboxes,
  templates,
  packages,
  workspaces,
  variables,
  agents,
  models,
  threads,
  attachments,
  artifacts,
  shares,
  approvals,
  inbox,
  triggers,
  executions,
  search,
  skills,
  tools,
  mcpServers,
  openai,
  mcp,
  oauth,
  system,
}

export const allRoutes: Route[] = Object.values(routes).flatMap((group) => Object.values(group))
