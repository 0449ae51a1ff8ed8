import { integer, jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import type { Environment } from '../../runs/index.ts'

const coherex = pgSchema('coherex')

export const programTable = coherex.table('agent_program', {
  teamId: text('team_id').notNull(),
  answerId: text('answer_id').notNull(),
  callId: text('call_id').notNull(),
  codeHash: text('code_hash').notNull(),
  seed: text('seed').notNull(),
  variables: jsonb('variables').$type<Environment>().notNull().default([]),
  begunAt: timestamp('begun_at', { withTimezone: true }).notNull().defaultNow(),
})

export const programCallTable = coherex.table('agent_program_call', {
  teamId: text('team_id').notNull(),
  answerId: text('answer_id').notNull(),
  callId: text('call_id').notNull(),
  number: integer('number').notNull(),
  tool: text('tool').notNull(),
  input: text('input').notNull(),
  editedInput: text('edited_input'),
  answer: text('answer'),
  place: integer('place'),
})
