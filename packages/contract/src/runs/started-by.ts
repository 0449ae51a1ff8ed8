import { z } from 'zod'

/** What begins turns and runs: people by hand, programs by a key, agents and runs by a call, and triggers by themselves. */
export const startKinds = ['person', 'key', 'agent', 'run', 'schedule', 'webhook', 'event'] as const
export const startKind = z.enum(startKinds)
export type StartKind = z.infer<typeof startKind>

/** What began a turn or a run. `createdBy` beside it is the person in whose name it acts. */
export const startedBy = z.object({
  kind: startKind,
  /** Through what a person or a program came. */
  door: z.enum(['studio', 'cli', 'api', 'mcp']).optional(),
  /** The key, the trigger, the turn of the agent, or the run whose code called a tool. */
  id: z.string().optional(),
  /** What people call it: the name of the agent, of the trigger, or of the tool that called. */
  name: z.string().optional(),
  /** The agent's call. */
  callId: z.string().optional(),
})
export type StartedBy = z.infer<typeof startedBy>
