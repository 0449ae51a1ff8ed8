import { z } from 'zod'
import { secretName } from '../access/secrets.ts'
import { modelName } from '../agents/agent.ts'
import { use } from '../runs/use.ts'
import { idOf } from '../wire/id.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'

/** What is said of one version of a tool. Only people approve and reject; models and services comment. */
export const toolReview = z.object({
  id: idOf('review'),
  version: z.number().int(),
  decision: z.enum(['approve', 'reject', 'comment']),
  note: z.string(),
  file: z.string().nullable(),
  line: z.number().int().nullable(),
  by: z.object({ kind: z.enum(['person', 'model', 'service']), id: z.string(), name: z.string() }),
  createdAt: moment,
})
export type ToolReview = z.infer<typeof toolReview>

const version = z.number().int().min(1).max(1_000_000_000)

export const toolReviewRequest = z
  .strictObject({
    version,
    decision: toolReview.shape.decision,
    note: text().max(4_000).default(''),
    file: text().min(1).max(200).optional(),
    line: z.number().int().min(1).max(1_000_000).optional(),
  })
  .refine(({ decision, note }) => decision === 'approve' || note.trim() !== '', {
    message: 'say why',
    path: ['note'],
  })
  .refine(({ file, line }) => line === undefined || file !== undefined, {
    message: 'a line is of a file',
    path: ['line'],
  })
export type ToolReviewRequest = z.infer<typeof toolReviewRequest>

/** `model`: the team's default unless named. `service`: the one that the team's rules name. */
export const toolReviewQuestion = z.discriminatedUnion('by', [
  z.strictObject({ version, by: z.literal('model'), model: modelName.optional() }),
  z.strictObject({ version, by: z.literal('service') }),
])
export type ToolReviewQuestion = z.infer<typeof toolReviewQuestion>

export const toolReviewAnswer = z.object({
  items: z.array(toolReview),
  /** What the model took; null of a service. */
  use: use.nullable(),
})
export type ToolReviewAnswer = z.infer<typeof toolReviewAnswer>

/** What a team asks before a tool is published. */
export const toolRules = z.strictObject({
  /** `person`: someone else than the author of a version has approved it, and nobody rejects it. */
  toolReview: z.enum(['none', 'person']),
  /** A service that reviews versions. What it is sent is signed with the secret of that name. */
  service: z
    .strictObject({
      url: text()
        .max(2_000)
        .pipe(z.url({ protocol: /^https?$/ })),
      secret: secretName,
    })
    .nullable(),
})
export type ToolRules = z.infer<typeof toolRules>
