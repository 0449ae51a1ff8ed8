import { integer, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

export const coherex = pgSchema('coherex')
export const at = (name: string) => timestamp(name, { withTimezone: true })

export type VersionState = 'draft' | 'proposed' | 'approved' | 'rejected'

/** What the table of every kind of definition has: one row for each name. */
export const headColumns = () => ({
  teamId: text('team_id').notNull(),
  name: text('name').notNull(),
  createdBy: text('created_by').notNull(),
  createdByName: text('created_by_name').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})

/** What the table of its versions has. Columns are named by the migration of the kind. */
export const versionColumns = (named: { name: string; byAgent: string }) => ({
  teamId: text('team_id').notNull(),
  name: text(named.name).notNull(),
  version: integer('version').notNull(),
  state: text('state').$type<VersionState>().notNull(),
  note: text('note').notNull(),
  createdBy: text('created_by').notNull(),
  createdByName: text('created_by_name').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  byAgent: text(named.byAgent),
  threadId: text('thread_id'),
  decidedBy: text('decided_by'),
  decidedByName: text('decided_by_name'),
  decidedAt: at('decided_at'),
  decisionNote: text('decision_note'),
})

const makeHeads = (name: string) => coherex.table(name, headColumns())
const makeVersions = (name: string) => coherex.table(name, versionColumns({ name: '', byAgent: '' }))

export type HeadTable = ReturnType<typeof makeHeads>
export type VersionTable = ReturnType<typeof makeVersions>
export type HeadRow = HeadTable['$inferSelect']
/** Skills do not keep the turn. */
export type VersionRow = VersionTable['$inferSelect'] & { turnId?: string | null }
