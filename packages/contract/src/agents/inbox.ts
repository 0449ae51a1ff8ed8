import { z } from 'zod'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'

export const inboxKinds = [
  'approval',
  'file-proposal',
  'definition-proposal',
  'skill-review',
  'mcp-review',
  'tool-review',
  'given-up-turn',
  'failed-trigger',
] as const
const inboxKind = z.enum(inboxKinds)
export type InboxKind = z.infer<typeof inboxKind>

/** Something that waits for the caller. What decides it is the route of its own kind. */
export const inboxItem = z.object({
  /** Of the approval, proposal, turn or delivery; `agent:NAME:VERSION`, `skill:NAME:VERSION` or `tool:NAME:VERSION` for a version that waits, `mcp:NAME` for the tools of an MCP server. */
  id: z.string(),
  kind: inboxKind,
  title: z.string(),
  /** What it is about in one line: the arguments of a call, the note of a proposal, why something failed. */
  summary: z.string(),
  at: moment,
  by: z.object({ kind: z.enum(['agent', 'person', 'trigger']), name: z.string() }),
  /** Where it comes from. A thread that the caller may not read is left out. */
  where: z.object({
    thread: z.object({ id: z.string(), title: z.string() }).optional(),
    workspace: z.object({ id: z.string(), name: z.string() }).optional(),
    agent: z.string().optional(),
    skill: z.string().optional(),
    mcpServer: z.string().optional(),
    tool: z.string().optional(),
    /** The version of the agent, skill or tool that waits. */
    version: z.number().int().optional(),
    trigger: z.object({ id: z.string(), name: z.string() }).optional(),
    path: z.string().optional(),
  }),
  /** Its place in the studio. */
  url: z.string(),
  /** It has no decision of its own: dismissing takes it away, for the caller only. */
  isDismissible: z.boolean(),
  /** How many failures of the same trigger it stands for, 100 at the most. */
  count: z.number().int(),
})
export type InboxItem = z.infer<typeof inboxItem>

/** Up to the most that is counted. */
export const inboxCount = z.object({ count: z.number().int(), isMore: z.boolean() })
export type InboxCount = z.infer<typeof inboxCount>

const kinds = inboxKinds.join('|')
/** Kinds in an address: `approval,skill-review`. */
export const inboxKindList = text().regex(
  new RegExp(`^(?:${kinds})(?:,(?:${kinds}))*$`),
  `must be of ${inboxKinds.join(', ')}`,
)
