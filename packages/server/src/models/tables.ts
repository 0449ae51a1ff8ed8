import { pgSchema, text } from 'drizzle-orm/pg-core'

const coherex = pgSchema('coherex')

export const modelChoiceTable = coherex.table('model_choice', {
  teamId: text('team_id').primaryKey(),
  model: text('model').notNull(),
})
