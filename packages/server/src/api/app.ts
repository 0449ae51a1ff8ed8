import { CoherexError } from '@coherex/contract'
import { Hono } from 'hono'
import type { Api } from './api.ts'
import { mountAudit } from './http/access/audit.ts'
import { mountKeys } from './http/access/keys.ts'
import { mountSecrets } from './http/access/secrets.ts'
import { mountSignIn } from './http/access/sign-in.ts'
import { mountTeams } from './http/access/teams.ts'
import { mountAgents } from './http/agents/agents.ts'
import { mountApprovals } from './http/agents/approvals.ts'
import { mountAttachments } from './http/agents/attachments.ts'
import { mountExecute } from './http/agents/execute.ts'
import { mountHooks } from './http/agents/hooks.ts'
import { mountInbox } from './http/agents/inbox.ts'
import { mountModels } from './http/agents/models.ts'
import { mountSkills } from './http/agents/skills.ts'
import { mountThreads } from './http/agents/threads.ts'
import { mountTriggers } from './http/agents/triggers.ts'
import { createErrorAnswer } from './http/answers/answer-error.ts'
import { compressAnswers } from './http/answers/compress-answers.ts'
import { mountRuntimeFrames } from './http/answers/runtime-frames.ts'
import { securityHeaders } from './http/answers/security-headers.ts'
import { mountStudio } from './http/answers/studio-files.ts'
import { mountArtifacts } from './http/artifacts/artifacts.ts'
import { mountShares } from './http/artifacts/shares.ts'
import { guardRequests } from './http/requests/guard-requests.ts'
import { observeRequests } from './http/requests/observe-requests.ts'
import { refuseMethod } from './http/requests/refuse-method.ts'
import type { Env } from './http/requests/request-context.ts'
import { mountExecutions } from './http/runs/executions.ts'
import { mountPackages } from './http/runs/packages.ts'
import { mountRuns } from './http/runs/runs.ts'
import { mountSandboxCells } from './http/runs/sandbox-cells.ts'
import { mountSandboxFiles } from './http/runs/sandbox-files.ts'
import { mountSandboxProcesses } from './http/runs/sandbox-processes.ts'
import { mountSandboxes } from './http/runs/sandboxes.ts'
import { mountSearch } from './http/runs/search.ts'
import { mountTemplates } from './http/runs/templates.ts'
import { mountVariables } from './http/runs/variables.ts'
import { mountSystem } from './http/system.ts'
import { mountMcpServers } from './http/tools/mcp-servers.ts'
import { mountTools } from './http/tools/tools.ts'
import { mountWorkspaceFiles } from './http/workspaces/workspace-files.ts'
import { mountWorkspaceGit } from './http/workspaces/workspace-git.ts'
import { mountWorkspaceTransfer } from './http/workspaces/workspace-transfer.ts'
import { mountWorkspaceVersions } from './http/workspaces/workspace-versions.ts'
import { mountWorkspaces } from './http/workspaces/workspaces.ts'
import { mountMcp } from './mcp/mcp.ts'
import { mountOAuth } from './mcp/oauth.ts'
import { mountMcpRegistry } from './mcp/registry.ts'
import { mountMcpSetup } from './mcp/setup.ts'
import { mountOpenAi } from './openai/mount-openai.ts'

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
