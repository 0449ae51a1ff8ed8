export { hasRole, hasScope, role, roles, scope, scopes, type Access, type Role, type Scope } from './access.ts'
export {
  agent,
  agentDefinition,
  agentName,
  agentNeed,
  agentStatus,
  agentStatuses,
  agentSummary,
  agentTemplate,
  agentVersion,
  builtInTools,
  definitionProblem,
  definitionVerdict,
  durationToMs,
  modelName,
  type Agent,
  type AgentDefinition,
  type AgentLimits,
  type AgentNeed,
  type AgentStatus,
  type AgentSummary,
  type AgentTemplate,
  type AgentVersion,
  type ApprovalRule,
  type DefinitionProblem,
  type DefinitionVerdict,
  type ToolReference,
} from './agent.ts'
export { auditEvent, type AuditEvent } from './audit.ts'
export {
  createClient,
  createOpener,
  type CallOptions,
  type Client,
  type ClientOptions,
  type FetchLike,
  type Opener,
  type ResponseLike,
} from './client.ts'
export { CoherexError, errorStatus, type ErrorCode } from './errors.ts'
export { changeEvent, socketClose, type ChangeEvent } from './events.ts'
export { health, type Health } from './health.ts'
export { idOf, idPrefixes, type IdKind } from './id.ts'
export { networkPresets, type NetworkPreset } from './network-presets.ts'
export { pageOf, pageQuery, type Page } from './page.ts'
export {
  apiKey,
  email,
  invitation,
  me,
  member,
  password,
  person,
  session,
  team,
  type ApiKey,
  type Invitation,
  type Me,
  type Member,
  type Person,
  type Session,
  type Team,
} from './people.ts'
export { defaultQuotas, quotas, type Quotas } from './quotas.ts'
export { readEvents, type ServerEvent } from './read-events.ts'
export { readRunEvents, type NumberedRunEvent } from './read-run-events.ts'
export { language, languageFacts, languageOfFile, languages, type Language } from './languages.ts'
export { route, type Route, type RouteInput, type RouteRequest, type RouteResponse } from './route.ts'
export { allRoutes, routes } from './routes/index.ts'
export {
  errorKind,
  givenFile,
  isPlainPath,
  languageStatus,
  largestLimits,
  outputLine,
  receipt,
  run,
  runError,
  runProgram,
  runRequest,
  runStatus,
  runStatuses,
  runSummary,
  runtimeName,
  runtimeNames,
  runtimeStatus,
  type ErrorKind,
  type GivenFile,
  type LanguageStatus,
  type OutputLine,
  type Receipt,
  type Run,
  type RunError,
  type RunEvent,
  type RunProgram,
  type RunRequest,
  type RunStatus,
  type RunSummary,
  type RuntimeName,
  type RuntimeStatus,
} from './run.ts'
export { secret, secretName, type Secret } from './secrets.ts'
