import { bigint, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

export const attachmentTable = pgSchema('coherex').table('attachment', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  personId: text('person_id').notNull(),
  name: text('name').notNull(),
  mediaType: text('media_type').notNull(),
  size: bigint('size', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
  threadId: text('thread_id'),
  place: text('place').$type<'sandbox' | 'workspace'>(),
  path: text('path'),
  laidIn: text('laid_in'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

export type StoredAttachment = typeof attachmentTable.$inferSelect
