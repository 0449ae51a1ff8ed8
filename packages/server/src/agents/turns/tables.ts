import type { Activity, StartedBy, TurnEnding, TurnStatus, TurnStep } from '@coherex/contract'
import { bigint, customType, doublePrecision, integer, jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import type { Acting } from '../../access/index.ts'
import type { Seen } from '../occurrences/seen.ts'
import type { StoredBudget } from '../turn/budget.ts'
import type { SleepEvent } from '../turn/sleep-event.ts'

const coherex = pgSchema('coherex')
const at = (name: string) => timestamp(name, { withTimezone: true })
const count = (name: string) => bigint(name, { mode: 'number' })
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const turnTable = coherex.table('turn', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  threadId: text('thread_id').notNull(),
  agentName: text('agent_name').notNull(),
  agentVersion: integer('agent_version').notNull(),
  model: text('model').notNull(),
  status: text('status').$type<TurnStatus>().notNull(),
  activity: text('activity').$type<Activity>().notNull().default('queued'),
  ending: jsonb('ending').$type<TurnEnding>(),
  questionId: text('question_id').notNull(),
  answerId: text('answer_id').notNull(),
  depth: integer('depth').notNull().default(0),
  serverId: text('server_id').notNull(),
  leaseUntil: at('lease_until'),
  take: integer('take').notNull().default(0),
  failures: integer('failures').notNull().default(0),
  notBefore: at('not_before').notNull().defaultNow(),
  budget: jsonb('budget').$type<StoredBudget>(),
  acting: jsonb('acting').$type<Acting>(),
  mostOfAgent: integer('most_of_agent'),
  startedBy: jsonb('started_by').$type<StartedBy>().notNull().default({ kind: 'person' }),
  retryOf: text('retry_of'),
  continues: text('continues'),
  personId: text('person_id').notNull(),
  personName: text('person_name').notNull(),
  inputTokens: count('input_tokens').notNull().default(0),
  cachedInputTokens: count('cached_input_tokens').notNull().default(0),
  outputTokens: count('output_tokens').notNull().default(0),
  costUsd: doublePrecision('cost_usd').default(0),
  createdAt: at('created_at').notNull().defaultNow(),
  startedAt: at('started_at'),
  endedAt: at('ended_at'),
})

export const turnStepTable = coherex.table('turn_step', {
  teamId: text('team_id').notNull(),
  turnId: text('turn_id').notNull(),
  number: integer('number').notNull(),
  model: text('model').notNull(),
  finishReason: text('finish_reason').notNull(),
  inputTokens: count('input_tokens').notNull(),
  cachedInputTokens: count('cached_input_tokens').notNull(),
  outputTokens: count('output_tokens').notNull(),
  costUsd: doublePrecision('cost_usd'),
  calls: jsonb('calls').$type<TurnStep['calls']>().notNull().default([]),
  startedAt: at('started_at').notNull(),
  durationMs: doublePrecision('duration_ms').notNull(),
  firstTokenMs: doublePrecision('first_token_ms'),
})

/** What became of a turn. Changes of status are written by the database itself. */
export const turnHistoryTable = coherex.table('turn_history', {
  teamId: text('team_id').notNull(),
  turnId: text('turn_id').notNull(),
  number: integer('number').notNull(),
  at: at('at').notNull().defaultNow(),
  kind: text('kind').$type<'status' | 'retry'>().notNull(),
  details: jsonb('details').$type<object>().notNull(),
})

export const turnChunkTable = coherex.table('turn_chunk', {
  teamId: text('team_id').notNull(),
  turnId: text('turn_id').notNull(),
  number: count('number').notNull(),
  chunks: jsonb('chunks').$type<unknown[]>().notNull(),
})

export const wakeTable = coherex.table('wake', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  turnId: text('turn_id').notNull(),
  callId: text('call_id'),
  kind: text('kind').$type<'webhook' | 'file-changed' | 'run-failed'>().notNull(),
  definition: jsonb('definition').$type<SleepEvent | Record<string, never>>().notNull(),
  seen: jsonb('seen').$type<Seen>(),
  hookHash: text('hook_hash'),
  expiresAt: at('expires_at').notNull(),
  arrivedAt: at('arrived_at'),
  body: bytes('body'),
})
export type StoredWake = typeof wakeTable.$inferSelect
