import { z } from 'zod'
import { idOf } from '../wire/id.ts'
import { anyText } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { language } from './languages.ts'

/** Bounds of one notebook; what is run beyond them runs, but gets no cell. */
export const largestNotebook = { cells: 500, characters: 10_000_000, source: 1_000_000 } as const

const kind = z.enum(['code', 'markdown'])
const source = anyText().max(largestNotebook.source)

/** A cell of a sandbox's notebook: its text, and the run whose output it shows. */
export const cell = z.object({
  id: idOf('cell'),
  kind,
  /** Null for Markdown. */
  language: language.nullable(),
  source: z.string(),
  /** Its last run; null before the first, and once its output was cleared. */
  runId: idOf('run').nullable(),
  isCollapsed: z.boolean(),
  updatedAt: moment,
})
export type Cell = z.infer<typeof cell>

export const cellRequest = z.strictObject({
  kind: kind.default('code'),
  /** The sandbox's own unless named. */
  language: language.optional(),
  source: source.default(''),
  /** The cell it comes after; null is the beginning, and left out is the end. */
  after: idOf('cell').nullable().optional(),
  /** The run whose output it shows, for a cell that is put back. */
  runId: idOf('run').optional(),
})
export type CellRequest = z.infer<typeof cellRequest>

export const cellChange = z
  .strictObject({
    kind: kind.optional(),
    language: language.optional(),
    source: source.optional(),
    after: idOf('cell').nullable().optional(),
    isCollapsed: z.boolean().optional(),
    /** Takes its output away; the run itself stays. */
    runId: z.null().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'nothing to change')
export type CellChange = z.infer<typeof cellChange>
