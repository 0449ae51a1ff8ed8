import { pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

export const inboxDismissalTable = pgSchema('coherex').table('inbox_dismissal', {
  teamId: text('team_id').notNull(),
  personId: text('person_id').notNull(),
  /** The thread of a turn, the trigger of a delivery. */
  subject: text('subject').notNull(),
  /** Whatever came later is shown again. */
  until: text('until').notNull(),
  dismissedAt: timestamp('dismissed_at', { withTimezone: true }).notNull().defaultNow(),
})
