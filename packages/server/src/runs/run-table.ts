import type {
  GivenFile,
  Language,
  OutputLine,
  Receipt,
  Run,
  RunError,
  RunRequest,
  RunStatus,
  StartedBy,
} from '@coherex/contract'
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  integer,
  json,
  jsonb,
  pgSchema,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'

const coherex = pgSchema('coherex')
const at = (name: string) => timestamp(name, { withTimezone: true })

export const programTable = coherex.table('program', {
  teamId: text('team_id').notNull(),
  hash: text('hash').notNull(),
  code: text('code').notNull(),
  entry: text('entry').notNull(),
  files: jsonb('files').$type<Record<string, GivenFile>>().notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})

// json where a program's own keys are in it, which jsonb would sort
export const runTable = coherex.table('run', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  personId: text('person_id').notNull(),
  personName: text('person_name').notNull(),
  serverId: text('server_id').notNull(),
  status: text('status').$type<RunStatus>().notNull(),
  language: text('language').$type<Language>().notNull(),
  programHash: text('program_hash').notNull(),
  request: json('request').$type<Omit<RunRequest, 'code' | 'files'>>().notNull(),
  receipt: jsonb('receipt').$type<Receipt>(),
  output: json('output').$type<OutputLine[]>().notNull().default([]),
  result: json('result').$type<{ value: unknown; text?: string }>(),
  error: jsonb('error').$type<RunError>(),
  signs: jsonb('signs').$type<Run['signs']>().notNull().default([]),
  requests: jsonb('requests').$type<Run['requests']>().notNull().default([]),
  truncated: boolean('truncated').notNull().default(false),
  queuedMs: doublePrecision('queued_ms').notNull().default(0),
  durationMs: doublePrecision('duration_ms').notNull().default(0),
  peakMemoryMb: doublePrecision('peak_memory_mb'),
  startedBy: jsonb('started_by').$type<StartedBy>(),
  retryOf: text('retry_of'),
  threadId: text('thread_id'),
  artifactId: text('artifact_id'),
  artifactVersion: integer('artifact_version'),
  reportedBy: text('reported_by').$type<'client'>(),
  tool: jsonb('tool').$type<NonNullable<Run['tool']>>(),
  privateTo: text('private_to'),
  createdAt: at('created_at').notNull().defaultNow(),
  startedAt: at('started_at'),
  endedAt: at('ended_at'),
})

/** Pieces of what open runs have printed so far. */
export const runOutputTable = coherex.table('run_output', {
  teamId: text('team_id').notNull(),
  runId: text('run_id').notNull(),
  first: integer('first').notNull(),
  lines: json('lines').$type<OutputLine[]>().notNull(),
})

export const runFileTable = coherex.table('run_file', {
  teamId: text('team_id').notNull(),
  runId: text('run_id').notNull(),
  path: text('path').notNull(),
  size: bigint('size', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
  expiresAt: at('expires_at').notNull(),
})

export const usageDayTable = coherex.table('usage_day', {
  teamId: text('team_id').notNull(),
  day: date('day').notNull(),
  runs: bigint('runs', { mode: 'number' }).notNull().default(0),
  runMs: doublePrecision('run_ms').notNull().default(0),
})
