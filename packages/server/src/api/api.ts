import type { Health } from '@coherex/contract'
import type { Access, createRateLimiter, IdentifyCaller, OidcSettings, SignIn } from '../access/index.ts'
import type { Agents } from '../agents/index.ts'
import type { Artifacts, Shares } from '../artifacts/index.ts'
import type { Log } from '../base/index.ts'
import type { Executions, Inbox, Search } from '../insight/index.ts'
import type { Help, Models } from '../models/index.ts'
import type { PackageVerbs } from '../packages/index.ts'
import type { Registry } from '../registry/index.ts'
import type {
  Attachments,
  Runs,
  Sandboxes,
  SandboxFileVerbs,
  Notebooks,
  SandboxVerbs,
  Templates,
  Variables,
  createTemplateBuilder,
} from '../runs/index.ts'
import type { McpServers, Tools } from '../tools/index.ts'
import type { Triggers } from '../triggers/index.ts'
import type { WorkspaceGit, Workspaces } from '../workspaces/index.ts'
import type { AnswerGuard } from './http/answers/guard-answers.ts'
import type { McpDoor } from './mcp/mcp-door.ts'
import type { PreviewLinks } from './preview/preview-links.ts'

/** What the HTTP face is built from. server.ts fills it in. */
export interface Api {
  version: string
  /** For the doors to the registry alone, until it has verbs of its own. */
  access: Access
  runs: Runs
  workspaces: Workspaces
  workspaceGit: WorkspaceGit
  models: Models
  help: Help
  registry: Registry
  tools: Tools
  mcpServers: McpServers
  agents: Agents
  triggers: Triggers
  artifacts: Artifacts
  shares: Shares
  executions: Executions
  search: Search
  inbox: Inbox
  variables: Variables
  sandboxes: Sandboxes
  sandboxVerbs: SandboxVerbs
  notebooks: Notebooks
  sandboxFiles: SandboxFileVerbs
  attachments: Attachments
  templates: Templates
  packages: PackageVerbs
  buildTemplate: ReturnType<typeof createTemplateBuilder>
  previews: PreviewLinks
  mcp: McpDoor
  signIn: SignIn
  identifyCaller: IdentifyCaller
  limitRate: ReturnType<typeof createRateLimiter>
  /** Whether letters go out. */
  sendsMail: boolean
  oidc: OidcSettings | undefined
  /** Room for answers that wait for their clients. */
  answers: AnswerGuard
  log: Log
  /** Where people reach the server; links are made from it. */
  publicUrl: string
  /** Whether forwarded headers are to be believed. */
  trustProxy: boolean
  health(): Health
  /** The built studio. */
  studioDirectory: string
}
