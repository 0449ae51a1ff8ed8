import { z } from 'zod'
import { outputLine, run, runError } from '../runs/run.ts'
import { idOf } from '../wire/id.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { artifactKind } from './artifact.ts'

const shareMode = z.enum(['view', 'run'])
export type ShareMode = z.infer<typeof shareMode>
const shareReach = z.enum(['team', 'public'])
export type ShareReach = z.infer<typeof shareReach>

/** An artifact that is shown to the team or to anyone who has its address. */
export const share = z.object({
  id: idOf('share'),
  /** Null for who does not see the conversation it is from. */
  artifactId: idOf('artifact').nullable(),
  title: z.string(),
  kind: artifactKind,
  language: z.string(),
  /** `run`: visitors may run and change it in their own browser. Nothing of that reaches the server. */
  mode: shareMode,
  reach: shareReach,
  /** Shown in the team's gallery. */
  isListed: z.boolean(),
  createdAt: moment,
  createdBy: z.object({ id: z.string(), name: z.string() }),
  expiresAt: moment.nullable(),
})
export type Share = z.infer<typeof share>

export const newShare = z.strictObject({
  artifactId: idOf('artifact'),
  mode: shareMode.default('view'),
  reach: shareReach.default('team'),
  isListed: z.boolean().default(false),
  /** The artifact's own, unless given. */
  title: text().trim().min(1).max(200).optional(),
  expiresAt: moment.optional(),
})
export type NewShare = z.output<typeof newShare>

/** A share with its addresses. Those of a public one are told now and never again. */
export const madeShare = share.extend({
  url: z.string(),
  /** For an iframe on another site; none for the team. */
  embedUrl: z.string().nullable(),
})
export type MadeShare = z.infer<typeof madeShare>

/** What a visitor sees: no ids, and no person but who shared it. */
export const sharedArtifact = share
  .pick({ title: true, kind: true, language: true, mode: true, expiresAt: true })
  .extend({
    sharedBy: z.string(),
    version: z.number().int(),
    code: z.string(),
    /** The newest first. */
    versions: z.array(z.object({ version: z.number().int(), createdAt: moment })),
    /** The newest run of this version that has ended. */
    run: run
      .pick({
        status: true,
        result: true,
        resultText: true,
        truncated: true,
        durationMs: true,
        endedAt: true,
        reportedBy: true,
      })
      .extend({
        output: z.array(outputLine),
        error: runError.pick({ kind: true, message: true, line: true, summary: true }).optional(),
      })
      .nullable(),
  })
export type SharedArtifact = z.infer<typeof sharedArtifact>
