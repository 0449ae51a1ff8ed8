import type { Cell, Language } from '@coherex/contract'
import { boolean, integer, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

export const notebookCellTable = pgSchema('coherex').table('notebook_cell', {
  teamId: text('team_id').notNull(),
  sandboxId: text('sandbox_id').notNull(),
  id: text('id').notNull(),
  position: integer('position').notNull(),
  kind: text('kind').$type<Cell['kind']>().notNull(),
  language: text('language').$type<Language>(),
  source: text('source').notNull(),
  runId: text('run_id'),
  isCollapsed: boolean('is_collapsed').notNull().default(false),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

export type CellRow = typeof notebookCellTable.$inferSelect

export function toCell({ id, kind, language, source, runId, isCollapsed, updatedAt }: CellRow): Cell {
  return { id, kind, language, source, runId, isCollapsed, updatedAt: updatedAt.toISOString() }
}
