import { z } from 'zod'

/** What begins turns and runs: people by hand, programs by a key, agents by a call, and triggers by themselves. */
export const startKinds = ['person', 'key', 'agent', 'schedule', 'webhook', 'event'] as const
export const startKind = z.enum(startKinds)
export type StartKind = z.infer<typeof startKind>

/** What began a turn or a run. `createdBy` beside it is the person in whose name it acts. */
export const startedBy = z.object({
  kind: startKind,
  /** Through what a person or a program came. */
  door: z.enum(['studio', 'cli', 'api']).optional(),
  /** The key, the trigger, or the turn of the agent. */
  id: z.string().optional(),
  /** What people call it: the name of the agent or of the trigger. */
  name: z.string().optional(),
  /** The agent's call. */
  callId: z.string().optional(),
})
export type StartedBy = z.infer<typeof startedBy>
