export { hasRole, hasScope, role, roles, scope, scopes, type Access, type Role, type Scope } from './access/access.ts'
export {
  agent,
  agentDefinition,
  agentName,
  agentNeed,
  agentProposal,
  agentStatus,
  agentStatuses,
  agentSummary,
  agentTemplate,
  agentVersion,
  agentVersionState,
  approvalRule,
  approvalsByTool,
  builtInTools,
  definitionProblem,
  definitionVerdict,
  durationToMs,
  modelName,
  type Agent,
  type AgentDefinition,
  type AgentLimits,
  type AgentNeed,
  type AgentProposal,
  type AgentStatus,
  type AgentSummary,
  type AgentTemplate,
  type AgentVersion,
  type AgentVersionState,
  type ApprovalMoment,
  type ApprovalRule,
  type ApprovalsByTool,
  type DefinitionProblem,
  type DefinitionVerdict,
  type ToolReference,
} from './agents/agent.ts'
export {
  approval,
  approvalDecision,
  approvalStatus,
  type Approval,
  type ApprovalDecision,
  type ApprovalStatus,
} from './agents/approval.ts'
export { auditEvent, type AuditEvent } from './access/audit.ts'
export {
  createClient,
  createOpener,
  type CallOptions,
  type Client,
  type ClientOptions,
  type FetchLike,
  type Opener,
  type ResponseLike,
} from './wire/client.ts'
export { CoherexError, errorStatus, type ErrorCode } from './wire/errors.ts'
export { changeEvent, socketClose, workspaceEvents, type ChangeEvent, type WorkspaceEvent } from './wire/events.ts'
export { health, type Health } from './wire/health.ts'
export { idOf, idPrefixes, type IdKind } from './wire/id.ts'
export { networkPresets, type NetworkPreset } from './runs/network-presets.ts'
export { outgrewIsolate } from './runs/outgrew-isolate.ts'
export { pageOf, pageQuery, type Page } from './wire/page.ts'
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
} from './access/people.ts'
export { hasRefusedCharacter, isPlainPath } from './workspaces/plain-path.ts'
export { defaultQuotas, quotas, type Quotas } from './access/quotas.ts'
export { readEvents, type ServerEvent } from './wire/read-events.ts'
export { readRunEvents, type NumberedRunEvent } from './runs/read-run-events.ts'
export { language, languageFacts, languageOfFile, languages, type Language } from './runs/languages.ts'
export { route, type Route, type RouteInput, type RouteRequest, type RouteResponse } from './wire/route.ts'
export { allRoutes, routes } from './routes/index.ts'
export {
  errorKind,
  inputRequest,
  givenFile,
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
  type InputRequest,
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
  type VariableOrigin,
} from './runs/run.ts'
export {
  largestSandbox,
  processSignals,
  sandbox,
  sandboxFile,
  sandboxProcess,
  sandboxRequest,
  sandboxStatus,
  sandboxStatuses,
  sandboxVariable,
  template,
  templateRequest,
  terminalControl,
  type Sandbox,
  type SandboxFile,
  type SandboxProcess,
  type SandboxRequest,
  type SandboxStatus,
  type SandboxVariable,
  type SandboxVariablePage,
  type Template,
  type TemplateRequest,
  type TerminalEvent,
} from './runs/sandbox.ts'
export {
  executionKind,
  executionKinds,
  executionStatus,
  executionStatuses,
  executionSummary,
  type ExecutionKind,
  type ExecutionStatus,
  type ExecutionSummary,
} from './runs/execution-summary.ts'
export { secret, secretName, type Secret } from './access/secrets.ts'
export { skillName } from './agents/skill-name.ts'
export {
  skill,
  skillFiles,
  skillFrontMatter,
  skillLimits,
  skillProblem,
  skillState,
  skillStates,
  skillSummary,
  skillVerdict,
  skillVersion,
  skillVersionDetails,
  skillVersionState,
  workspaceSkill,
  type Skill,
  type SkillFiles,
  type SkillFrontMatter,
  type SkillProblem,
  type SkillState,
  type SkillSummary,
  type SkillVerdict,
  type SkillVersion,
  type SkillVersionDetails,
  type SkillVersionState,
  type WorkspaceSkill,
} from './agents/skill.ts'
export { startedBy, startKind, startKinds, type StartedBy, type StartKind } from './runs/started-by.ts'
export {
  author,
  changeResult,
  fileChange,
  fileDiff,
  proposal,
  tagName,
  textMatch,
  workspace,
  workspaceFile,
  workspaceLimits,
  workspaceName,
  workspacePath,
  workspaceTag,
  workspaceTemplate,
  workspaceTemplates,
  workspaceVersion,
  type Author,
  type ChangeResult,
  type FileChange,
  type FileDiff,
  type Proposal,
  type TextMatch,
  type Workspace,
  type WorkspaceFile,
  type WorkspaceTag,
  type WorkspaceTemplate,
  type WorkspaceVersion,
} from './workspaces/workspace.ts'
export {
  gitBranch,
  gitClone,
  gitImport,
  gitPlace,
  gitPush,
  gitRemote,
  type GitImport,
  type GitPush,
  type GitRemote,
} from './workspaces/workspace-git.ts'
export { modelChoices, providerState, type ModelChoices, type ProviderState } from './agents/models.ts'
export {
  activity,
  isTurnOver,
  message,
  thread,
  threadFile,
  threadImport,
  threadRequest,
  threadSummary,
  turn,
  turnEnding,
  turnRequest,
  turnStatus,
  turnStatuses,
  turnStep,
  type Activity,
  type Message,
  type MessagePart,
  type Thread,
  type ThreadFile,
  type ThreadRequest,
  type ThreadSummary,
  type Turn,
  type TurnEnding,
  type TurnRequest,
  type TurnStatus,
  type TurnStep,
} from './agents/thread.ts'
export { turnChunk, type TurnChunk } from './agents/turn-chunk.ts'
export { applyChunk, beginAnswer, type LiveAnswer } from './follow/apply-chunk.ts'
export { backoff } from './follow/backoff.ts'
export { followAnswer } from './follow/follow-answer.ts'
export { followRun } from './follow/follow-run.ts'
export { followTurn, turnIdOf, type HeardChunk } from './follow/follow-turn.ts'
export { pause } from './follow/pause.ts'
export { insist, type FollowOptions } from './follow/persist.ts'
export type { Use } from './runs/use.ts'
export {
  timeline,
  timelineCall,
  timelinePhase,
  timelineStep,
  type Timeline,
  type TimelineCall,
  type TimelinePhase,
  type TimelineStep,
} from './runs/timeline.ts'
export {
  chatCompletion,
  chatCompletionRequest,
  chatError,
  unsupportedChatFields,
  type ChatCompletion,
  type ChatCompletionRequest,
  type ChatError,
} from './agents/openai.ts'
export {
  delivery,
  deliveryKinds,
  deliveryStatus,
  deliveryStatuses,
  deliveryWithPayload,
  madeSecret,
  secretRequest,
  trigger,
  triggerKinds,
  triggerStatus,
  type Delivery,
  type DeliveryKind,
  type DeliveryStatus,
  type DeliveryWithPayload,
  type MadeSecret,
  type Trigger,
  type TriggerKind,
  type TriggerStatus,
} from './agents/trigger.ts'
export {
  signatures,
  triggerDefinition,
  triggerEvents,
  type Signature,
  type TriggerDefinition,
  type TriggerEvent,
} from './agents/trigger-definition.ts'
export { execution, executionRequest, type Execution, type ExecutionRequest } from './runs/execution.ts'
export { mostVariables, type Variable } from './runs/variable.ts'
export { formatDuration } from './words/duration.ts'
export { hiddenCharacters } from './words/hidden-characters.ts'
export { formatBytes } from './words/size.ts'
