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
  type DefinitionReach,
  type AgentTemplate,
  type AgentVersion,
  type AgentVersionState,
  type ApprovalMoment,
  type ApprovalRule,
  type ApprovalsByTool,
  type DefinitionProblem,
  type DefinitionVerdict,
  type GeneratedDefinition,
  type ToolReference,
} from './agents/agent.ts'
export {
  approval,
  approvalChange,
  approvalDecision,
  approvalStatus,
  type Approval,
  type ApprovalChange,
  type ApprovalDecision,
  type ApprovalStatus,
  type NeededApproval,
  type ThreadApproval,
} from './agents/approval.ts'
export { inboxItem, inboxKinds, type InboxCount, type InboxItem, type InboxKind } from './agents/inbox.ts'
export {
  definitionNouns,
  definitionVerbs,
  plainAuditActions,
  type AuditAction,
  type DefinitionNoun,
  type DefinitionVerb,
  type PlainAuditAction,
} from './access/audit-actions.ts'
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
export { attachedFile, attachment, type AttachedFile, type Attachment } from './agents/attachment.ts'
export { CoherexError, errorStatus, type ErrorCode } from './wire/errors.ts'
export {
  changeEvent,
  changesUnknown,
  socketClose,
  workspaceEvents,
  type ChangeEvent,
  type WorkspaceEvent,
} from './wire/events.ts'
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
export {
  completionKinds,
  languageRequest,
  type Completion,
  type LanguageAnswers,
  type LanguageEvent,
  type LanguageProblem,
  type LanguageQuestion,
  type LanguageRequest,
  type LanguageServerState,
  type LanguageSignature,
  type TextRange,
  type TextReplacement,
} from './workspaces/language-messages.ts'
export { hasRefusedCharacter, isPlainPath } from './workspaces/plain-path.ts'
export { defaultQuotas, quotas, type Quotas } from './access/quotas.ts'
export { readEvents, type ServerEvent } from './wire/read-events.ts'
export { readRunEvents, type NumberedRunEvent } from './runs/read-run-events.ts'
export {
  applyFix,
  fix,
  fixesOf,
  fixKinds,
  fixRequest,
  limitFix,
  readLimitFix,
  type Fix,
  type FixKind,
  type FixRequest,
  type LimitName,
} from './runs/fix.ts'
export { isResultShown } from './runs/is-result-shown.ts'
export { language, languageFacts, languageOfFile, languages, type Language } from './runs/languages.ts'
export { route, type Route, type RouteInput, type RouteRequest, type RouteResponse } from './wire/route.ts'
export { allRoutes, routes } from './routes/index.ts'
export { foundKinds, type FoundItem, type FoundKind } from './routes/search.ts'
export {
  errorKind,
  inputRequest,
  givenFile,
  languageStatus,
  largestLimits,
  outputLine,
  pythonStack,
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
  type PythonStack,
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
  type ProcessSignal,
  sandbox,
  sandboxChange,
  sandboxPackagesChange,
  sandboxFile,
  sandboxProcess,
  sandboxRequest,
  sandboxStatus,
  sandboxStatuses,
  sandboxVariable,
  template,
  templateRequest,
  terminalControl,
  type ChangedSandbox,
  type Sandbox,
  type SandboxChange,
  type SandboxPackagesChange,
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
export { largestNotebook, type Cell, type CellChange, type CellRequest } from './runs/cell.ts'
export {
  executionKind,
  executionKinds,
  executionStatus,
  executionStatuses,
  executionAgain,
  executionSummary,
  type ExecutionAgain,
  type ExecutionKind,
  type ExecutionStatus,
  type ExecutionSummary,
} from './runs/execution-summary.ts'
export { secret, secretName, type Secret } from './access/secrets.ts'
export type { ConsentDecision, ConsentDetails, ConsentRequest, OAuthClientGrant } from './access/oauth.ts'
export type { McpServerEntry, McpSetup, McpSnippet } from './tools/mcp.ts'
export type { DefinitionKind } from './agents/definition-kind.ts'
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
  undoneChanges,
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
  type RecordedChange,
  type ReplacedFile,
  type TextMatch,
  type UndoneChanges,
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
export {
  assistance,
  assistRequest,
  helpLimits,
  suggestion,
  suggestRequest,
  type Assistance,
  type AssistKind,
  type AssistRequest,
  type Suggestion,
  type SuggestRequest,
} from './agents/inline-help.ts'
export { modelChoices, providerState, type ModelChoices, type ProviderState } from './agents/models.ts'
export {
  activity,
  isTurnOver,
  message,
  begunThread,
  queuedMessage,
  saidData,
  thread,
  threadFile,
  threadImport,
  threadOrigins,
  threadReach,
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
  type BegunThread,
  type QueuedMessage,
  type SaidData,
  type Thread,
  type ThreadFile,
  type ThreadOrigin,
  type ThreadReach,
  type ThreadRequest,
  type ThreadSummary,
  type Turn,
  type TurnChanges,
  type UndoneTurn,
  type TurnEnding,
  type TurnRequest,
  type TriedSkill,
  type TurnStatus,
  type TurnStep,
} from './agents/thread.ts'
export { turnChunk, type TurnChunk } from './agents/turn-chunk.ts'
export { applyChunk, beginAnswer, type LiveAnswer } from './follow/apply-chunk.ts'
export { backoff } from './follow/backoff.ts'
export { followAnswer } from './follow/follow-answer.ts'
export { callWithProgress } from './follow/call-with-progress.ts'
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
  keptRequest,
  unsupportedResponseFields,
  type KeptRequest,
  type ModelResponse,
  type ResponseItem,
  type ResponseMessage,
  type ResponseRequest,
} from './agents/openai-responses.ts'
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
  type ToolTrigger,
  type TriggerDefinition,
  type TriggerEvent,
} from './agents/trigger-definition.ts'
export { execution, executionRequest, type Execution, type ExecutionRequest } from './runs/execution.ts'
export { mostVariables, type OwnedVariable, type Variable } from './runs/variable.ts'
export { formatDuration } from './words/duration.ts'
export { hiddenCharacters } from './words/hidden-characters.ts'
export { formatBytes } from './words/size.ts'
export {
  defaultPackagePolicy,
  type LockedPackage,
  type PackageInfo,
  type PackageLanguage,
  type BrowserWheel,
  type BrowserBundle,
  type BrowserWheels,
  type PackageLock,
  type PackagePolicy,
  type PackageSet,
  type PackageTypes,
  packageInfo,
  packageLanguage,
  packageLock,
  packagePolicy,
  packageSet,
  packageTypes,
  requirements,
} from './packages/package.ts'
export {
  addToManifest,
  chooseManifest,
  manifestFiles,
  readManifest,
  removeFromManifest,
  type ManifestName,
} from './packages/manifest.ts'
export { exactly, packageLanguageOf, readRequirements, sameName, splitRequirement } from './packages/requirement.ts'
export {
  mcpAuth,
  mcpLimits,
  mcpPlace,
  mcpServer,
  mcpServerName,
  mcpTool,
  mcpTools,
  type McpAuth,
  type McpPlace,
  type McpServer,
  type McpTool,
  type McpTools,
  type McpToolStatus,
} from './tools/mcp-server.ts'
export {
  type AppCall,
  type AppCallAnswer,
  appMediaType,
  type AppOwner,
  appOwner,
  type ToolApp,
} from './tools/tool-app.ts'
export { describeFailures, type SchemaFailure, schemaFailure } from './tools/schema.ts'
export { createToolFiles, type ToolTemplate, toolTemplates } from './tools/tool-templates.ts'
export { sampleOf } from './tools/sample-of.ts'
export { type ToolExport, type ToolExportFormat, toolExportFormat, toolExportFormats } from './tools/tool-export.ts'
export {
  type ToolReview,
  type ToolReviewAnswer,
  type ToolReviewQuestion,
  type ToolReviewRequest,
  toolReview,
  type ToolRules,
  toolRules,
} from './tools/tool-review.ts'
export { type ToolRequest, toolRequest, type ToolSource } from './tools/tool-source.ts'
export { type ToolCallerKind, toolCallerKinds, type ToolUsage, type ToolUser } from './tools/tool-usage.ts'
export {
  type SharedTool,
  type Tool,
  type ToolCheck,
  type ToolDefinition,
  type ToolDetails,
  type ToolStatus,
  type ToolTestResult,
  type ToolFiles,
  toolDefinition,
  toolLimits,
  toolName,
  type ToolReach,
  toolReach,
  type ToolVerdict,
  toolVerdict,
  toolStatus,
  type ToolSummary,
  toolSummary,
  type ToolTest,
  type ToolVersion,
  toolVersion,
} from './tools/tool.ts'
export {
  artifact,
  type Artifact,
  type ArtifactExecution,
  type ArtifactRun,
  type ArtifactVersion,
  artifactKind,
  type ExecutionReport,
  largestArtifact,
} from './artifacts/artifact.ts'
export {
  type MadeShare,
  type NewShare,
  type Share,
  type SharedArtifact,
  type ShareMode,
  type ShareReach,
  type ShareTarget,
} from './artifacts/share.ts'
export {
  type ArtifactKind,
  countFences,
  findFences,
  type FoundFence,
  kindOfFence,
  readMarks,
  splitFences,
} from './artifacts/find-fences.ts'
export { notebookFile, type NotebookCell, type NotebookFile, type NotebookOutput } from './artifacts/notebook-file.ts'
export { kernelOf, lineOfOutput, outputsOfRun } from './artifacts/notebook-outputs.ts'
export { type Fence, readFence } from './artifacts/read-fence.ts'
