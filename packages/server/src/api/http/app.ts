import { CoherexError } from '@coherex/contract'
import { Hono } from 'hono'
import { mountMcp } from '../mcp/mcp.ts'
import { mountOAuth } from '../mcp/oauth.ts'
import { mountMcpRegistry } from '../mcp/registry.ts'
import { mountMcpSetup } from '../mcp/setup.ts'
import { mountOpenAi } from '../openai/mount-openai.ts'
import { mountAudit } from './access/audit.ts'
import { mountKeys } from './access/keys.ts'
import { mountSecrets } from './access/secrets.ts'
import { mountSignIn } from './access/sign-in.ts'
import { mountTeams } from './access/teams.ts'
import { mountAgents } from './agents/agents.ts'
import { mountApprovals } from './agents/approvals.ts'
import { mountAttachments } from './agents/attachments.ts'
import { mountExecute } from './agents/execute.ts'
import { mountHooks } from './agents/hooks.ts'
import { mountInbox } from './agents/inbox.ts'
import { mountModels } from './agents/models.ts'
import { mountSkills } from './agents/skills.ts'
import { mountThreads } from './agents/threads.ts'
import { mountTriggers } from './agents/triggers.ts'
import { createErrorAnswer } from './answers/answer-error.ts'
import { compressAnswers } from './answers/compress-answers.ts'
import { mountRuntimeFrames } from './answers/runtime-frames.ts'
import { securityHeaders } from './answers/security-headers.ts'
import { mountStudio } from './answers/studio-files.ts'
import type { Api } from './api.ts'
import { mountArtifacts } from './artifacts/artifacts.ts'
import { mountShares } from './artifacts/shares.ts'
import { guardRequests } from './requests/guard-requests.ts'
import { observeRequests } from './requests/observe-requests.ts'
import { refuseMethod } from './requests/refuse-method.ts'
import type { Env } from './requests/request-context.ts'
import { mountExecutions } from './runs/executions.ts'
import { mountPackages } from './runs/packages.ts'
import { mountRuns } from './runs/runs.ts'
import { mountSandboxCells } from './runs/sandbox-cells.ts'
import { mountSandboxFiles } from './runs/sandbox-files.ts'
import { mountSandboxProcesses } from './runs/sandbox-processes.ts'
import { mountSandboxes } from './runs/sandboxes.ts'
import { mountSearch } from './runs/search.ts'
import { mountTemplates } from './runs/templates.ts'
import { mountVariables } from './runs/variables.ts'
import { mountSystem } from './system.ts'
import { mountMcpServers } from './tools/mcp-servers.ts'
import { mountTools } from './tools/tools.ts'
import { mountWorkspaceFiles } from './workspaces/workspace-files.ts'
import { mountWorkspaceGit } from './workspaces/workspace-git.ts'
import { mountWorkspaceTransfer } from './workspaces/workspace-transfer.ts'
import { mountWorkspaceVersions } from './workspaces/workspace-versions.ts'
import { mountWorkspaces } from './workspaces/workspaces.ts'

/** The HTTP face: what every request passes, then one file for each noun. */
export function createApp(api: Api): Hono<Env> {
  const app = new Hono<Env>()
  app.onError(createErrorAnswer(api))
  app.notFound((context) =>
    createErrorAnswer(api)(new CoherexError('not_found', 'There is nothing at this address'), context),
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
  mountSandboxCells(app, api)
  mountSandboxProcesses(app, api)
  mountTemplates(app, api)
  mountPackages(app, api)
  mountAgents(app, api)
  mountModels(app, api)
  mountThreads(app, api)
  mountAttachments(app, api)
  mountArtifacts(app, api)
  mountShares(app, api)
  mountApprovals(app, api)
  mountInbox(app, api)
  mountTriggers(app, api)
  mountHooks(app, api)
  mountExecute(app, api)
  mountExecutions(app, api)
  mountSearch(app, api)
  mountSkills(app, api)
  mountTools(app, api)
  mountMcpServers(app, api)
  mountOpenAi(app, api)
  mountMcp(app, api)
  mountMcpSetup(app, api)
  mountMcpRegistry(app, api)
  mountOAuth(app, api)
  mountRuntimeFrames(app)
  app.all('*', refuseMethod(app))
  app.all('/api/*', (context) => context.notFound())
  app.all('/v1/*', (context) => context.notFound())
  mountStudio(app, api.studioDirectory)
  return app
}
