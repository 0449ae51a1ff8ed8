import { z } from 'zod'
import { approvalStatus } from '../agents/approval.ts'
import { turn } from '../agents/thread.ts'
import { idOf } from '../wire/id.ts'
import { moment } from '../wire/time.ts'
import { executionStatus } from './execution-summary.ts'
import { language } from './languages.ts'
import { use } from './use.ts'

/** A stretch of a turn's life in which it did, or waited for, one thing. The last one is open until the turn ends. */
export const timelinePhase = z.object({
  status: z.enum(['queued', 'running', 'waiting', 'sleeping']),
  startedAt: moment,
  endedAt: moment.nullable(),
  /** Which of the turn's servers worked on it, counted from 1; null while it rests. */
  server: z.number().int().nullable(),
  /** Its server fell silent, and another one had to take the turn up. */
  isLost: z.boolean(),
})
export type TimelinePhase = z.infer<typeof timelinePhase>

const linkedRun = z.object({
  id: idOf('run'),
  status: executionStatus,
  language,
  durationMs: z.number(),
  sandboxId: z.string().nullable(),
})

const linkedTurn = z.object({ id: idOf('turn'), threadId: idOf('thread'), agent: z.string(), status: executionStatus })

export const timelineCall = z.object({
  id: z.string(),
  tool: z.string(),
  status: z.enum(['running', 'waiting', 'sleeping', 'done', 'failed']),
  /** When its work began; null while it waits, and for turns from before it was kept. */
  startedAt: moment.nullable(),
  durationMs: z.number().nullable(),
  /** The code it ran. */
  runs: z.array(linkedRun),
  /** The agents it asked. */
  turns: z.array(linkedTurn),
  approvals: z.array(
    z.object({
      id: idOf('approval'),
      status: approvalStatus,
      reason: z.string(),
      askedAt: moment,
      decidedAt: moment.nullable(),
      decidedBy: z.string().nullable(),
    }),
  ),
  sleep: z.object({ startedAt: moment, until: moment }).nullable(),
})
export type TimelineCall = z.infer<typeof timelineCall>

export const timelineStep = z.object({
  number: z.number().int(),
  model: z.string(),
  /** `running`: the model is being asked; `failed`: it gave nothing in the end. */
  status: z.enum(['running', 'done', 'failed']),
  finishReason: z.string().nullable(),
  startedAt: moment,
  /** How long the model took; null while it is at it. */
  durationMs: z.number().nullable(),
  /** From asking to its first words. */
  firstTokenMs: z.number().nullable(),
  use: use.nullable(),
  /** Times that the provider failed and was asked again. */
  retries: z.array(z.object({ at: moment, attempt: z.number().int(), reason: z.string() })),
  calls: z.array(timelineCall),
})
export type TimelineStep = z.infer<typeof timelineStep>

/** A turn as it went, in one piece: what it waited for, each step of the model, each call and what that began. */
export const timeline = z.object({
  turn,
  /** The question and the answer in plain words, up to 20,000 characters. */
  input: z.string(),
  output: z.string(),
  isDead: z.boolean(),
  sandboxId: z.string().nullable(),
  phases: z.array(timelinePhase),
  steps: z.array(timelineStep),
  /** Later turns that answer the same question again, or go on with this one's answer. */
  retriedBy: z.array(idOf('turn')),
  continuedBy: z.array(idOf('turn')),
})
export type Timeline = z.infer<typeof timeline>
