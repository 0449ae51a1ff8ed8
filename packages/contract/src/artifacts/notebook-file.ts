import { z } from 'zod'
import { storableJson } from '../wire/json-value.ts'
import { text } from '../wire/text.ts'

const longText = text().max(2_000_000)
/** Jupyter writes a text as one, or as its lines. */
const linesOf = (one: z.ZodString) =>
  z.union([one, z.array(one).max(100_000)]).transform((given) => [given].flat().join(''))
const source = linesOf(text().max(200_000))
const bundle = z.record(text().max(200), storableJson)

const output = z.discriminatedUnion('output_type', [
  z.object({ output_type: z.literal('stream'), name: text().max(200), text: linesOf(longText) }),
  z.object({ output_type: z.literal('display_data'), data: bundle, metadata: bundle.default({}) }),
  z.object({
    output_type: z.literal('execute_result'),
    data: bundle,
    metadata: bundle.default({}),
    execution_count: z.number().int().nullable().default(null),
  }),
  z.object({
    output_type: z.literal('error'),
    ename: longText,
    evalue: longText,
    traceback: z.array(longText).max(1_000),
  }),
])
export type NotebookOutput = z.output<typeof output>

const metadata = z
  .object({
    title: text().max(200).optional(),
    /** Where a cell has another language than its notebook, as VS Code notes it. */
    vscode: z.object({ languageId: text().max(30).optional() }).optional(),
  })
  .default({})
const cell = z.discriminatedUnion('cell_type', [
  z.object({ id: text().max(64).optional(), cell_type: z.enum(['markdown', 'raw']), metadata, source }),
  z.object({
    id: text().max(64).optional(),
    cell_type: z.literal('code'),
    metadata,
    source,
    execution_count: z.number().int().nullable().default(null),
    outputs: z.array(output).max(2_000).default([]),
  }),
])
export type NotebookCell = z.output<typeof cell>

/** A notebook of Jupyter (nbformat 4), as far as a conversation has use for it. */
export const notebookFile = z.object({
  nbformat: z.literal(4, 'only notebooks of nbformat 4 can be read: convert it with "jupyter nbconvert --to notebook"'),
  nbformat_minor: z.number().int().min(0),
  metadata: z.object({
    kernelspec: z
      .object({ name: text().max(200), display_name: text().max(200), language: text().max(64).optional() })
      .optional(),
    language_info: z.object({ name: text().max(200) }).optional(),
  }),
  cells: z.array(cell).min(1).max(500),
})
export type NotebookFile = z.output<typeof notebookFile>
