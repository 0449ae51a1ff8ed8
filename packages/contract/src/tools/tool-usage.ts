import { z } from 'zod'

/** Who calls tools: what begins runs, other tools, and programs that are no tool. */
export const toolCallerKinds = ['person', 'key', 'agent', 'tool', 'run', 'schedule', 'webhook', 'event'] as const
export type ToolCallerKind = (typeof toolCallerKinds)[number]

const count = z.number().int()

/** Calls that ended. Those whose input did not fit never ran: they count as invalid, not as failed. */
const counts = z.object({
  calls: count,
  /** Ran and did not succeed, an output that does not fit included. */
  failed: count,
  invalidInput: count,
  invalidOutput: count,
  /** Half of the calls, and 95 of 100, took no longer; null where none ran. Told to within a tenth. */
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
})

/** What came of a tool in the last days. */
export const toolUsage = counts.extend({
  days: count,
  byVersion: z.array(counts.extend({ version: count })),
  /** Every day, oldest first, with or without calls. */
  byDay: z.array(z.object({ day: z.string(), calls: count, failed: count })),
  /** Most calls first, the first hundred. */
  callers: z.array(
    z.object({
      kind: z.enum(toolCallerKinds),
      name: z.string(),
      calls: count,
      /** Which of them it called, newest first. */
      versions: z.array(count),
    }),
  ),
})
export type ToolUsage = z.infer<typeof toolUsage>

/** An agent or a tool that names this one in the version it is used in, or a trigger of its own. */
export const toolUser = z.object({
  kind: z.enum(['agent', 'tool', 'trigger']),
  name: z.string(),
  /** Of the agent or tool; a trigger is of the tool’s own version. */
  version: count,
  /** The version that it asks for; null where it takes the published one. */
  pins: count.nullable(),
})
export type ToolUser = z.infer<typeof toolUser>
