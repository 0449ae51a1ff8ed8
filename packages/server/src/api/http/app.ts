import { CoherexError } from '@coherex/contract'
import { Hono } from 'hono'
import { mountOpenAi } from '../openai/chat-completions.ts'
import { mountAgents } from './agents.ts'
import { createErrorAnswer } from './answer-error.ts'
import type { Api } from './api.ts'
import { mountApprovals } from './approvals.ts'
import { mountAudit } from './audit.ts'
import { compressAnswers } from './compress-answers.ts'
import { mountExecute } from './execute.ts'
import { mountExecutions } from './executions.ts'
import { guardRequests } from './guard-requests.ts'
import { mountHooks } from './hooks.ts'
import { mountKeys } from './keys.ts'
import { mountModels } from './models.ts'
import { observeRequests } from './observe-requests.ts'
import { refuseMethod } from './refuse-method.ts'
import type { Env } from './request-context.ts'
import { mountRuns } from './runs.ts'
import { mountSandboxFiles } from './sandbox-files.ts'
import { mountSandboxProcesses } from './sandbox-processes.ts'
import { mountSandboxes } from './sandboxes.ts'
import { mountSecrets } from './secrets.ts'
import { securityHeaders } from './security-headers.ts'
import { mountSignIn } from './sign-in.ts'
import { mountSkills } from './skills.ts'
import { mountStudio } from './studio-files.ts'
import { mountSystem } from './system.ts'
import { mountTeams } from './teams.ts'
import { mountTemplates } from './templates.ts'
import { mountThreads } from './threads.ts'
import { mountTriggers } from './triggers.ts'
import { mountVariables } from './variables.ts'
import { mountWorkspaceFiles } from './workspace-files.ts'
import { mountWorkspaceGit } from './workspace-git.ts'
import { mountWorkspaceTransfer } from './workspace-transfer.ts'
import { mountWorkspaceVersions } from './workspace-versions.ts'
import { mountWorkspaces } from './workspaces.ts'

/** The HTTP face: what every request passes, then one file for each noun. */
export function createApp(api: Api): Hono<Env> {
  const app = new Hono<Env>()
  app.onError(createErrorAnswer(api.log))
  app.notFound((context) =>
    createErrorAnswer(api.log)(new CoherexError('not_found', 'There is nothing at this address'), context),
  )

  app.use(observeRequests(api))
  app.use(securityHeaders(api.publicUrl))
  app.use(guardRequests(api.publicUrl))
  app.use('/api/*', compressAnswers)

  mountSystem(app, api)
  mountSignIn(app, api)
  mountTeams(app, api)
  mountKeys(app, api)
  mountSecrets(app, api)
  mountAudit(app, api)
  mountRuns(app, api)
  mountWorkspaces(app, api)
  mountVariables(app, api)
  mountWorkspaceFiles(app, api)
  mountWorkspaceTransfer(app, api)
  mountWorkspaceGit(app, api)
  mountWorkspaceVersions(app, api)
  mountSandboxes(app, api)
  mountSandboxFiles(app, api)
  mountSandboxProcesses(app, api)
  mountTemplates(app, api)
  mountAgents(app, api)
  mountModels(app, api)
  mountThreads(app, api)
  mountApprovals(app, api)
  mountTriggers(app, api)
  mountHooks(app, api)
  mountExecute(app, api)
  mountExecutions(app, api)
  mountSkills(app, api)
  mountOpenAi(app, api)
  app.all('*', refuseMethod(app))
  app.all('/api/*', (context) => context.notFound())
  app.all('/v1/*', (context) => context.notFound())
  mountStudio(app, api.studioDirectory)
  return app
}
