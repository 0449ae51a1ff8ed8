import { z } from 'zod'
import { agentName, definitionProblem } from '../agents/agent.ts'
import { toolTriggers } from '../agents/trigger-definition.ts'
import { packageLock, requirements } from '../packages/package.ts'
import { language } from '../runs/languages.ts'
import { network } from '../runs/network.ts'
import { givenFile, largestLimits, variableName } from '../runs/run.ts'
import { storableJson } from '../wire/json-value.ts'
import { namedRecord } from '../wire/named-record.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'

/** What one tool may hold. */
export const toolLimits = {
  files: 200,
  /** All files of a version together. */
  bytes: 4_000_000,
  tests: 100,
  versions: 1_000,
} as const

export const toolName = agentName
/** Words that stand where the name of a tool does in addresses. */
const takenNames = new Set(['shared', 'rules'])
/** What `env.TOOLS` has by itself, or a promise would. */
const shadowedNames = new Set(['call', 'then'])
export const toolFiles = namedRecord(text().min(1).max(200), givenFile)
export type ToolFiles = z.infer<typeof toolFiles>

/** JSON Schema 2020-12, or `code`: what the module itself declares. */
const schemaOrCode = z.union([z.literal('code'), z.boolean(), z.record(z.string(), storableJson)], {
  error: 'must be a JSON Schema, or “code” for what the code declares',
})

/** One case: an input with the output it must have, or a check of that output written in the tool's language. */
const toolTest = z
  .strictObject({
    name: text().min(1).max(100),
    input: storableJson.describe('What the tool is called with'),
    output: storableJson.optional().describe('What it must answer'),
    check: text().min(1).max(4_000).optional().describe('An expression over input and output that must be true'),
  })
  .refine(({ output, check }) => output !== undefined || check !== undefined, {
    message: 'needs an output to compare with, or a check',
  })
export type ToolTest = z.infer<typeof toolTest>

/** Who sees and calls a tool: its owner, the team, or also other teams of this server, which install a copy of a version. */
export const toolReach = z.enum(['private', 'team', 'server'])
export type ToolReach = z.infer<typeof toolReach>

/** As `tool.yaml` has it. */
export const toolDefinition = z.strictObject({
  kind: z.literal('tool'),
  name: toolName
    .refine((name) => !takenNames.has(name), { message: 'is a word of addresses: choose another name' })
    .refine((name) => !shadowedNames.has(name), { message: 'cannot be called as env.TOOLS.name: choose another name' })
    .describe('As callers name it, such as count-words'),
  description: text().min(1).max(4_000).describe('What it does and when to use it: models choose by it'),
  language: language.describe('What it is written in'),
  entry: text()
    .min(1)
    .max(200)
    .optional()
    .describe('The file that is run: the default export of a script, main of a Python module'),
  ui: text()
    .min(1)
    .max(200)
    .regex(/\.html?$/, 'must be a page of the folder, such as view.html')
    .optional()
    .describe('A page that shows what a call gave, in the chat and to MCP clients that show views'),
  input: schemaOrCode
    .default('code')
    .describe('JSON Schema of what it is called with, or code for what the code declares'),
  output: schemaOrCode.default('code').describe('JSON Schema of what it answers, or code for what the code declares'),
  packages: requirements.optional().describe('Packages it needs, with versions'),
  network: network.optional().describe('Addresses it may reach; none unless said'),
  variables: z.array(variableName).max(50).optional().describe('Names of its variables that a call needs, and gets'),
  limits: z
    .strictObject({
      timeoutMs: z.number().int().min(10).max(largestLimits.timeoutMs).optional().describe('Time of a call'),
      memoryMb: z.number().int().min(16).max(largestLimits.memoryMb).optional().describe('Memory of a call'),
    })
    .optional()
    .describe('What a call may take'),
  triggers: toolTriggers.optional().describe('What calls the published version by itself'),
  runtime: z
    .enum(['isolate', 'process', 'wasm'])
    .optional()
    .describe('Where it runs; the cheapest that takes it unless said'),
  owner: text().min(3).max(200).optional().describe('Who answers for it, by e-mail address; set when it is published'),
  reach: toolReach.optional().describe('Who sees it: private, team or server; set when it is published'),
  licence: text().min(1).max(100).optional().describe('Such as MIT; needed to publish it'),
  tags: z
    .array(text().regex(/^[a-z0-9-]{1,30}$/, 'must be lower-case letters, digits and hyphens'))
    .max(20)
    .optional()
    .describe('Words to find it by'),
  tests: z.array(toolTest).max(toolLimits.tests).optional().describe('Cases that run before it is published'),
  example: storableJson.optional().describe('An input to try it with'),
})
export type ToolDefinition = z.infer<typeof toolDefinition>

/** What can be said of a tool without running its code. */
export const toolVerdict = z.object({
  valid: z.boolean(),
  problems: z.array(definitionProblem.extend({ file: z.string() })),
  /** Where tool.yaml can be read. */
  definition: toolDefinition.optional(),
})
export type ToolVerdict = z.infer<typeof toolVerdict>

/** `deprecated` still answers and says so; `unpublished` answers nobody. */
const toolStatuses = ['draft', 'published', 'deprecated', 'unpublished'] as const
export const toolStatus = z.enum(toolStatuses)
export type ToolStatus = z.infer<typeof toolStatus>

const by = z.object({ id: z.string(), name: z.string() })
/** As the version keeps it: JSON Schema, whatever the code wrote. */
const schema = z.union([z.boolean(), z.record(z.string(), z.unknown())])

export const toolVersion = z.object({
  version: z.number().int(),
  state: z.enum(['draft', 'proposed', 'approved', 'rejected']),
  note: z.string(),
  /** SHA-256 over paths and contents. */
  digest: z.string(),
  size: z.number().int(),
  createdAt: moment,
  createdBy: by,
  /** The agent that wrote it. */
  agent: z.string().nullable(),
  threadId: z.string().nullable(),
  decidedAt: moment.nullable(),
  decidedBy: by.nullable(),
  decisionNote: z.string().nullable(),
})
export type ToolVersion = z.infer<typeof toolVersion>

export const toolSummary = z.object({
  name: toolName,
  description: z.string(),
  language,
  status: toolStatus,
  /** Why nobody should begin to use it, and what instead. */
  deprecation: z.string().nullable(),
  tags: z.array(z.string()),
  owner: by,
  reach: toolReach,
  /** A day, for the last fourteen, oldest first. */
  calls: z.array(z.number().int()),
  /** The one that `latest` means; null while none is published. */
  version: z.number().int().nullable(),
  newestVersion: z.number().int(),
  updatedAt: moment,
})
export type ToolSummary = z.infer<typeof toolSummary>

export const toolDetails = toolVersion.extend({
  definition: toolDefinition,
  input: schema,
  output: schema,
  /** The packages that every call of this version has; null where it needs none. */
  lock: packageLock.nullable(),
  files: toolFiles,
})
export type ToolDetails = z.infer<typeof toolDetails>

export const tool = toolSummary.extend({
  /** The published version, or the newest one while none is. */
  current: toolDetails,
})
export type Tool = z.infer<typeof tool>

export const toolTestResult = z.object({
  name: z.string(),
  passed: z.boolean(),
  message: z.string(),
  runId: z.string(),
  durationMs: z.number(),
})
export type ToolTestResult = z.infer<typeof toolTestResult>

/** What stands between a version and its publication. */
export const toolCheck = z.object({
  name: z.enum(['tests', 'licence', 'owner', 'review']),
  passed: z.boolean(),
  message: z.string(),
})
export type ToolCheck = z.infer<typeof toolCheck>

/** A tool of another team of this server, as much as others see of it. */
export const sharedTool = z.object({
  team: z.object({ id: z.string(), name: z.string() }),
  name: toolName,
  description: z.string(),
  language,
  licence: z.string().nullable(),
  tags: z.array(z.string()),
  version: z.number().int(),
  updatedAt: moment,
})
export type SharedTool = z.infer<typeof sharedTool>
