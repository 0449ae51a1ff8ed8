import type { Route } from '../wire/route.ts'
import { agents } from './agents.ts'
import { approvals } from './approvals.ts'
import { audit } from './audit.ts'
import { executions } from './executions.ts'
import { keys } from './keys.ts'
import { models } from './models.ts'
import { openai } from './openai.ts'
import { runs } from './runs.ts'
import { sandboxes } from './sandboxes.ts'
import { secrets } from './secrets.ts'
import { signIn } from './sign-in.ts'
import { skills } from './skills.ts'
import { system } from './system.ts'
import { teams } from './teams.ts'
import { templates } from './templates.ts'
import { threads } from './threads.ts'
import { triggers } from './triggers.ts'
import { variables } from './variables.ts'
import { workspaces } from './workspaces.ts'

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
  workspaces,
  variables,
  agents,
  models,
  threads,
  approvals,
  triggers,
  executions,
  skills,
  openai,
  system,
}

export const allRoutes: Route[] = Object.values(routes).flatMap((group) => Object.values(group))
