import { z } from 'zod'
import { neededApproval } from '../agents/approval.ts'
import { idOf } from '../wire/id.ts'
import { moment } from '../wire/time.ts'
import { language } from './languages.ts'
import { runtimeName } from './run.ts'
import { startedBy } from './started-by.ts'
import { use } from './use.ts'

/** Turns and runs in one list have one vocabulary. */
export const executionKinds = ['turn', 'run'] as const
export const executionKind = z.enum(executionKinds)
export type ExecutionKind = z.infer<typeof executionKind>

export const executionStatuses = [
  'queued',
  'loading',
  'running',
  'waiting',
  'sleeping',
  'succeeded',
  'failed',
  'cancelled',
] as const
export const executionStatus = z.enum(executionStatuses)
export type ExecutionStatus = z.infer<typeof executionStatus>

/** What doing an execution again would do. */
export const executionAgain = z.object({
  kind: executionKind,
  /** The whole question or program. */
  input: z.string(),
  language: language.nullable(),
  /** Where it would be done: in a sandbox that lives, with the files of a workspace, in a place of its own, or as a turn of a thread. */
  place: z.object({
    kind: z.enum(['sandbox', 'workspace', 'fresh', 'thread']),
    id: z.string().nullable(),
    name: z.string().nullable(),
  }),
  /** Addresses that it could reach; empty without a network, null for a turn. */
  network: z.array(z.string()).nullable(),
  /** What a person has to approve again. */
  approvals: z.array(neededApproval),
  /** Why it cannot be done again; null when it can. */
  refusal: z.string().nullable(),
})
export type ExecutionAgain = z.infer<typeof executionAgain>

/** A turn or a run in a list: what began it, what it was given, what came of it and what it took. */
export const executionSummary = z.object({
  kind: executionKind,
  id: z.union([idOf('turn'), idOf('run')]),
  status: executionStatus,
  /** Given up by the server: it is not tried again by itself, and `reason` says why. */
  isDead: z.boolean(),
  startedBy,
  createdBy: z.object({ id: z.string(), name: z.string() }),
  /** The beginning of the question or of the code. */
  input: z.string(),
  /** The beginning of the answer, of the result or of what was printed; null when there is none. */
  output: z.string().nullable(),
  /** Why it ended, when it did not end well. */
  reason: z.string().nullable(),
  agent: z.string().nullable(),
  threadId: idOf('thread').nullable(),
  model: z.string().nullable(),
  language: language.nullable(),
  runtime: runtimeName.nullable(),
  sandboxId: z.string().nullable(),
  /** What the models took; null for runs. */
  use: use.nullable(),
  createdAt: moment,
  startedAt: moment.nullable(),
  endedAt: moment.nullable(),
  /** From its start to its end, waiting for people and sleep included; null before. */
  durationMs: z.number().nullable(),
  retryOf: z.string().nullable(),
  continues: z.string().nullable(),
})
export type ExecutionSummary = z.infer<typeof executionSummary>
