import { z } from 'zod'
import { idOf } from '../wire/id.ts'
import { storableJson } from '../wire/json-value.ts'
import { text } from '../wire/text.ts'

export const signatures = ['standard', 'github', 'slack'] as const
export type Signature = (typeof signatures)[number]

export const triggerEvents = ['file-changed', 'run-failed', 'document-added'] as const
export type TriggerEvent = (typeof triggerEvents)[number]

const common = {
  name: text()
    .regex(/^[a-z](?:[a-z0-9]|-(?=[a-z0-9])){0,62}$/, 'must be lower-case letters, digits and single hyphens')
    .optional()
    .describe('Keeps its address and secrets from version to version; its kind and number unless said'),
  input: text()
    .min(1)
    .max(10_000)
    .optional()
    .describe('What the agent is told when it fires; what was sent comes beside it, as data'),
  workspace: idOf('workspace').optional().describe('The workspace its threads work in'),
}

/** When a schedule fires. */
export const scheduleQuery = z.strictObject({
  schedule: text().min(1).max(100).describe('Cron: minute, hour, day, month, weekday'),
  timezone: text().min(1).max(64).optional().describe('IANA name, such as Europe/Berlin; UTC unless said'),
})
const schedule = scheduleQuery.extend(common)
const toolInput = storableJson.optional().describe('What the tool is called with; what was sent unless said')
const webhook = z.strictObject({
  webhook: z.strictObject({
    signature: z.enum(signatures).optional().describe('How requests are signed; Standard Webhooks unless said'),
  }),
  ...common,
})
const event = z.strictObject({
  event: z.enum(triggerEvents),
  paths: z
    .array(text().min(1).max(200))
    .min(1)
    .max(20)
    .optional()
    .describe('For file-changed: globs that a changed file must match'),
  ...common,
})

const kinds = ['schedule', 'webhook', 'event'] as const

/** What is wrong with the kind of trigger that is meant; which kinds there are where none or several are. */
function describeProblem({ input, errors = [] }: { input?: unknown; errors?: z.core.$ZodIssue[][] }): string {
  const meant = kinds.flatMap((kind, index) => (typeof input === 'object' && input && kind in input ? index : []))
  const [problem] = (meant.length === 1 && errors[meant[0] ?? 0]) || []
  if (problem) return [problem.path.join('.'), problem.message].filter(Boolean).join(': ')
  return 'must be one of { schedule, timezone }, { webhook: { signature } } or { event, paths }, with name, input, workspace'
}

/** What starts an agent by itself. */
export const triggerDefinition = z.union([schedule, webhook, event], {
  error: (issue) => describeProblem(issue as Parameters<typeof describeProblem>[0]),
})
export type TriggerDefinition = z.infer<typeof triggerDefinition>

/** What calls a tool by itself: with what was sent, or the input that is said here. */
const toolTrigger = z.union(
  [schedule.extend({ input: toolInput }), webhook.extend({ input: toolInput }), event.extend({ input: toolInput })],
  { error: (issue) => describeProblem(issue as Parameters<typeof describeProblem>[0]) },
)
export type ToolTrigger = z.infer<typeof toolTrigger>

/** All of an agent. Those without a name are called by their kind and number, so nobody else may be. */
export const triggerDefinitions = listOf(triggerDefinition)
export const toolTriggers = listOf(toolTrigger)

function listOf<T extends typeof triggerDefinition | typeof toolTrigger>(one: T) {
  return z
    .array(one)
    .max(16)
    .refine((triggers) => {
      const names = triggers.flatMap(({ name }) => name ?? [])
      return new Set(names).size === names.length
    }, 'two have the same name')
    .refine(
      (triggers) => !triggers.some(({ name }) => name && /^(?:schedule|webhook|event)-\d+$/.test(name)),
      'names such as webhook-1 are given to those without one',
    )
}
