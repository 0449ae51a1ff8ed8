import { z } from 'zod'
import { outputLine, run, runError } from '../runs/run.ts'
import { filePath } from '../runs/run.ts'
import { idOf } from '../wire/id.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { artifactKind } from './artifact.ts'

const shareMode = z.enum(['view', 'run'])
export type ShareMode = z.infer<typeof shareMode>
const shareReach = z.enum(['team', 'public'])
export type ShareReach = z.infer<typeof shareReach>

/** What is shown: an artifact by its kind, a conversation, or a file that is neither run nor drawn. */
const shareKind = z.enum([...artifactKind.options, 'thread', 'file'])

/** An artifact, a conversation or a file that is shown to the team or to anyone who has its address. */
export const share = z.object({
  id: idOf('share'),
  /** What it shows, one of these; null also for who does not see the conversation it is from. */
  artifactId: idOf('artifact').nullable(),
  threadId: idOf('thread').nullable(),
  workspaceId: idOf('workspace').nullable(),
  path: z.string().nullable(),
  title: z.string(),
  kind: shareKind,
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

/** What a share shows: an artifact, a conversation, or a file of a workspace. */
export const shareTarget = z.object({
  artifactId: idOf('artifact').optional(),
  /** The branch that is shown, up to its last message now. */
  threadId: idOf('thread').optional(),
  workspaceId: idOf('workspace').optional(),
  path: filePath.optional(),
})
export type ShareTarget = z.output<typeof shareTarget>

const isOne = ({ artifactId, threadId, workspaceId, path }: ShareTarget) =>
  [artifactId, threadId, workspaceId].filter((id) => id !== undefined).length === 1 &&
  (workspaceId === undefined) === (path === undefined)

export const newShare = z
  .strictObject({
    ...shareTarget.shape,
    mode: shareMode.default('view'),
    reach: shareReach.default('team'),
    isListed: z.boolean().default(false),
    /** Its own, unless given. */
    title: text().trim().min(1).max(200).optional(),
    expiresAt: moment.optional(),
  })
  .refine(isOne, 'must name one thing to share: artifactId, threadId, or workspaceId with path')
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
    /** What was said, in a conversation: words alone, without calls of tools, thoughts and files. */
    messages: z
      .array(z.object({ role: z.enum(['user', 'assistant']), by: z.string(), text: z.string(), createdAt: moment }))
      .optional(),
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
