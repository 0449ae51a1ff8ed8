import { z } from 'zod'
import { use } from '../runs/use.ts'
import { anyText, text } from '../wire/text.ts'
import { workspacePath } from '../workspaces/workspace.ts'
import { modelName } from './agent.ts'

/** What one question to a model may carry, in characters. */
export const helpLimits = { prefix: 20_000, suffix: 10_000, file: 100_000, error: 8_000, instruction: 4_000 } as const

const place = {
  path: workspacePath.describe('Of the file, which tells the model what it is'),
  language: text().min(1).max(40).optional(),
  model: modelName.optional().describe('The team’s default unless named'),
}

/** Where somebody types: what stands before and after the cursor. */
export const suggestRequest = z.strictObject({
  ...place,
  prefix: anyText().max(helpLimits.prefix),
  suffix: anyText().max(helpLimits.suffix).default(''),
})
export type SuggestRequest = z.infer<typeof suggestRequest>

export const suggestion = z.object({
  /** What to insert at the cursor; empty where the model has nothing to say. */
  text: z.string(),
  model: z.string(),
  use,
})
export type Suggestion = z.infer<typeof suggestion>

/** What is asked about a file, or about the part of it that is selected. */
export const assistRequest = z
  .strictObject({
    ...place,
    kind: z.enum(['explain', 'fix', 'test', 'edit']),
    text: anyText().max(helpLimits.file).describe('The whole file as it is now'),
    selection: z
      .strictObject({ from: z.number().int().min(0), to: z.number().int().min(0) })
      .optional()
      .describe('Offsets in the text; the whole file when left out'),
    instruction: text().trim().max(helpLimits.instruction).optional(),
    error: anyText().max(helpLimits.error).optional().describe('What a run or the language said'),
  })
  .refine(({ kind, instruction }) => kind !== 'edit' || Boolean(instruction), {
    message: 'say what to change',
    path: ['instruction'],
  })
  .refine(
    ({ text: whole, selection }) => !selection || (selection.from < selection.to && selection.to <= whole.length),
    {
      message: 'must be a part of the text',
      path: ['selection'],
    },
  )
export type AssistRequest = z.infer<typeof assistRequest>
export type AssistKind = AssistRequest['kind']

/** What a model answered. It is text: nothing of it is done before a person accepts it. */
export const assistance = z.object({
  /** In its words, as Markdown. */
  answer: z.string(),
  /** What it would write: a change of the file, or a file beside it. */
  change: z
    .object({
      path: z.string(),
      change: z.enum(['added', 'changed']),
      /** Unified. */
      diff: z.string(),
      /** The whole file as it would be. */
      text: z.string(),
    })
    .nullable(),
  model: z.string(),
  use,
})
export type Assistance = z.infer<typeof assistance>
