import { bigint, date, doublePrecision, pgSchema, text } from 'drizzle-orm/pg-core'

const coherex = pgSchema('coherex')

export const modelChoiceTable = coherex.table('model_choice', {
  teamId: text('team_id').primaryKey(),
  model: text('model'),
  embeddingModel: text('embedding_model'),
})

const count = (name: string) => bigint(name, { mode: 'number' })

/** What models took outside of turns, by month. What deleted turns took is written by the database itself. */
export const modelUseTable = coherex.table('model_use', {
  teamId: text('team_id').notNull(),
  month: date('month').notNull(),
  purpose: text('purpose').$type<'embedding' | 'deleted-turn' | 'suggestion' | 'assist' | 'review'>().notNull(),
  model: text('model').notNull(),
  calls: count('calls').notNull(),
  inputTokens: count('input_tokens').notNull(),
  outputTokens: count('output_tokens').notNull(),
  costUsd: doublePrecision('cost_usd').notNull(),
  /** Who asked; nobody where the team did. */
  personId: text('person_id').notNull().default(''),
})
