import { z } from 'zod'
import { requirements } from '../packages/package.ts'
import { network } from '../runs/network.ts'
import { use } from '../runs/use.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { skillName } from './skill-name.ts'
import { triggerDefinitions } from './trigger-definition.ts'

/** Names of agents and tools: as they stand in a URL, a file name and a model's tool list. */
export const agentName = text().regex(
  /^[a-z](?:[a-z0-9]|-(?=[a-z0-9])){0,62}$/,
  'must be lower-case letters, digits and single hyphens, such as data-analyst',
)

export const builtInTools = [
  'files',
  'bash',
  'run-code',
  'fetch',
  'code-mode',
  'definitions',
  'sleep',
  'propose-skill',
] as const

/** A tool an agent holds: one of ours, a published tool, another agent, all tools of an MCP server, or one of them. */
const toolReference = z.union(
  [
    z.enum(builtInTools),
    text().regex(/^tool:[a-z][a-z0-9-]{0,62}(?:@\d{1,9})?$/),
    text().regex(/^agent:[a-z][a-z0-9-]{0,62}$/),
    text().regex(/^mcp:[a-z][a-z0-9-]{0,29}(?:\/[\w.-]{1,128})?$/),
  ],
  { error: `must be one of ${builtInTools.join(', ')}, or tool:<name>[@version], agent:<name>, mcp:<server>[/tool]` },
)
export type ToolReference = z.infer<typeof toolReference>

const approvalRules = ['always', 'never', 'when-writing', 'outside-allow-list', 'first-time'] as const
/** `90s`, `10m`, `2h` or `7d`. */
const duration = text().regex(/^[1-9]\d{0,5}(?:s|m|h|d)$/, 'must be a number with s, m, h or d, such as 10m')

export function durationToMs(text: string): number {
  const unit = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[text.slice(-1)]
  if (unit === undefined) throw new RangeError(`not a duration: ${text}`)
  return Number(text.slice(0, -1)) * unit
}

/** When a person is asked before a call is made, and how long the question stands: a day unless said. */
export const approvalRule = z.union(
  [z.enum(approvalRules), z.strictObject({ ask: z.enum(approvalRules), expires: duration.optional() })],
  { error: `must be one of ${approvalRules.join(', ')}, or { ask, expires } such as { ask: always, expires: 2h }` },
)
export type ApprovalRule = z.infer<typeof approvalRule>
export type ApprovalMoment = (typeof approvalRules)[number]

/** By tool, as definitions name them. Only `fetch` has an allow-list to be outside of. */
export const approvalsByTool = z
  .record(toolReference, approvalRule)
  .refine(
    (rules) =>
      Object.entries(rules).every(
        ([tool, rule]) => tool === 'fetch' || (typeof rule === 'string' ? rule : rule.ask) !== 'outside-allow-list',
      ),
    'outside-allow-list is a rule for fetch: no other tool has such a list',
  )
export type ApprovalsByTool = z.infer<typeof approvalsByTool>

const agentLimits = z.strictObject({
  steps: z.number().int().min(1).max(200).optional().describe('Model calls in one turn; 20 unless said'),
  tokens: z.number().int().min(1).max(100_000_000).optional().describe('Tokens in and out in one turn'),
  costUsd: z.number().positive().max(10_000).optional().describe('Money one turn may cost'),
  time: duration.optional().describe('Time one turn may take; 10m unless said'),
  depth: z.number().int().min(0).max(3).optional().describe('How deep agents may call agents; 2 unless said'),
  turnsAtOnce: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('Turns of this agent at once; more wait in a queue'),
})
export type AgentLimits = z.infer<typeof agentLimits>

/** Provider and model; `compatible/<model>` is any server that speaks Chat Completions. */
export const modelName = text()
  .max(200)
  .regex(
    /^(?:openai|anthropic|google|compatible|ollama)\/\S+$/,
    'must be provider/model, such as anthropic/claude-sonnet-5',
  )

const sourceGrant = z.strictObject({ name: agentName, access: z.enum(['read', 'write']) })

export const agentDefinition = z.strictObject({
  kind: z.literal('agent'),
  name: agentName.describe('As it stands in addresses and lists, such as data-analyst'),
  description: text().min(1).max(500).describe('What it is for, in a sentence: people and other agents choose by it'),
  model: modelName
    .optional()
    .describe('provider/model, such as anthropic/claude-sonnet-5; the team’s default model unless said'),
  instructions: text().min(1).max(50_000).describe('What the model is told before every turn'),
  tools: z
    .array(toolReference)
    .max(64)
    .optional()
    .describe('What it may use: built-in tools, tool:<name>[@version], agent:<name>, mcp:<server>[/tool]'),
  skills: z
    .union([z.literal('all'), z.array(skillName).max(64)], { error: 'must be a list of names, or all' })
    .optional()
    .describe('Skills of the team, or of a thread’s workspace, that it may load'),
  sources: z.array(sourceGrant).max(32).optional().describe('Connected systems that it may read or write'),
  network: network.optional().describe('Addresses that its code and fetch may reach; none unless said'),
  packages: requirements
    .optional()
    .describe(
      'Packages that the sandbox of its threads has: of PyPI, such as polars>=1, and of npm, such as npm:es-toolkit@1',
    ),
  approvals: approvalsByTool.optional().describe('When a person is asked before a call, by tool'),
  limits: agentLimits.optional().describe('Where a turn ends: steps, tokens, money and time'),
  triggers: triggerDefinitions.optional().describe('What starts it by itself: schedules, webhooks and events'),
  context: z
    .strictObject({ messages: z.number().int().min(1).max(500).optional() })
    .optional()
    .describe('How much of a thread the model sees; the last 50 messages unless said'),
})
export type AgentDefinition = z.infer<typeof agentDefinition>

/** One thing wrong with a definition, where it stands in the text. */
export const definitionProblem = z.object({
  message: z.string(),
  path: z.string(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  hint: z.string().optional(),
})
export type DefinitionProblem = z.infer<typeof definitionProblem>

/** What an agent still lacks before it can work. */
export const agentNeed = z.object({
  kind: z.enum(['model', 'tool', 'agent', 'source', 'mcp', 'skill', 'trigger', 'approval']),
  name: z.string(),
  message: z.string(),
})
export type AgentNeed = z.infer<typeof agentNeed>

export const agentStatuses = ['draft', 'active', 'paused', 'archived'] as const
export const agentStatus = z.enum(agentStatuses)
export type AgentStatus = z.infer<typeof agentStatus>

const author = z.object({ id: z.string(), name: z.string() })

/** `proposed` waits for a person; so does a `draft`, which an agent wrote into an agent that never was active. */
export const agentVersionState = z.enum(['draft', 'proposed', 'approved', 'rejected'])
export type AgentVersionState = z.infer<typeof agentVersionState>

export const agentVersion = z.object({
  version: z.number().int(),
  state: agentVersionState,
  note: z.string(),
  createdAt: moment,
  /** The person, or for whom an agent wrote it. */
  createdBy: author,
  /** The agent that wrote it. */
  agent: z.string().nullable(),
  threadId: z.string().nullable(),
  turnId: z.string().nullable(),
  decidedAt: moment.nullable(),
  decidedBy: author.nullable(),
  decisionNote: z.string().nullable(),
})
export type AgentVersion = z.infer<typeof agentVersion>

/** A version that waits for a person, compared with the one in use. */
export const agentProposal = agentVersion.extend({
  source: z.string(),
  /** Unified, and nothing in it is invisible. */
  diff: z.string(),
  /** What the agent may do that it may not do now, in sentences. */
  newly: z.array(z.string()),
  /** SHA-256 of this and of the version in use: who decides says what they have seen. */
  digest: z.string(),
})
export type AgentProposal = z.infer<typeof agentProposal>

/** Who sees an agent or a skill: its owner, or the team. */
export const definitionReach = z.enum(['private', 'team'])
export type DefinitionReach = z.infer<typeof definitionReach>

export const agentSummary = z.object({
  name: agentName,
  description: z.string(),
  status: agentStatus,
  /** The one in use. */
  version: z.number().int(),
  /** The last number that was given out: a proposal may have it. */
  newestVersion: z.number().int(),
  /** How many versions wait for a person. */
  proposals: z.number().int(),
  model: z.string().nullable(),
  isBuiltIn: z.boolean(),
  createdAt: moment,
  updatedAt: moment,
  createdBy: author,
  /** Who answers for it. */
  owner: author,
  reach: definitionReach,
})
export type AgentSummary = z.infer<typeof agentSummary>

export const agent = agentSummary.extend({
  /** As it was written, comments and all. */
  source: z.string(),
  definition: agentDefinition,
  needs: z.array(agentNeed),
  /** Of all its turns; the time is from the start of each to its end, waiting included. */
  use: use.extend({ turns: z.number().int(), durationMs: z.number() }),
})
export type Agent = z.infer<typeof agent>

export const agentTemplate = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  source: z.string(),
  needs: z.array(agentNeed),
})
export type AgentTemplate = z.infer<typeof agentTemplate>

export const definitionVerdict = z.object({
  valid: z.boolean(),
  problems: z.array(definitionProblem),
  needs: z.array(agentNeed),
  definition: agentDefinition.optional(),
})
export type DefinitionVerdict = z.infer<typeof definitionVerdict>

/** A definition that the builder wrote, and the thread in which it did. */
export const generatedDefinition = definitionVerdict
  .omit({ definition: true })
  .extend({ source: z.string(), threadId: z.string() })
export type GeneratedDefinition = z.infer<typeof generatedDefinition>
