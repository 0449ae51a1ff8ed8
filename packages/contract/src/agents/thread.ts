import { z } from 'zod'
import { notebookFile } from '../artifacts/notebook-file.ts'
import { startedBy } from '../runs/started-by.ts'
import { use } from '../runs/use.ts'
import { idOf } from '../wire/id.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { fileDiff, undoneChanges } from '../workspaces/workspace.ts'
import { agentName, modelName } from './agent.ts'
import { keptPart } from './kept-part.ts'
import { skillName } from './skill-name.ts'

/** What an agent is doing right now, as everyone who watches sees it. */
const activities = ['idle', 'queued', 'thinking', 'executing', 'waiting', 'sleeping'] as const
export const activity = z.enum(activities)
export type Activity = z.infer<typeof activity>

export const turnStatuses = ['queued', 'running', 'waiting', 'sleeping', 'done', 'failed', 'stopped'] as const
export const turnStatus = z.enum(turnStatuses)
export type TurnStatus = z.infer<typeof turnStatus>

export function isTurnOver(status: TurnStatus): boolean {
  return status === 'done' || status === 'failed' || status === 'stopped'
}

/** Why a turn ended, when it did not end by itself. */
const turnEndings = [
  'answered',
  'steps',
  'tokens',
  'cost',
  'time',
  'depth',
  'stopped',
  'model',
  'interrupted',
  /** The person it worked for may not have agents work any more. */
  'rights',
  /** A program that was run again did something else than before. */
  'replay',
  'internal',
] as const
export const turnEnding = z.object({ kind: z.enum(turnEndings), message: z.string() })
export type TurnEnding = z.infer<typeof turnEnding>

const author = z.object({ id: z.string(), name: z.string() })

export const turnStep = z.object({
  number: z.number().int(),
  model: z.string(),
  finishReason: z.string(),
  startedAt: moment,
  durationMs: z.number(),
  /** From asking the model to its first words. */
  firstTokenMs: z.number().nullable(),
  use,
  calls: z.array(
    z.object({
      id: z.string(),
      tool: z.string(),
      status: z.enum(['done', 'failed', 'running']),
      startedAt: moment.optional(),
      durationMs: z.number().nullable(),
      runId: z.string().nullable(),
    }),
  ),
})
export type TurnStep = z.infer<typeof turnStep>

export const turn = z.object({
  id: idOf('turn'),
  threadId: idOf('thread'),
  /** The message it answers. */
  questionId: idOf('message'),
  /** The message it writes; a turn that goes on with another one writes on the same. */
  answerId: idOf('message'),
  agent: z.string(),
  agentVersion: z.number().int(),
  model: z.string(),
  status: turnStatus,
  /** How many of the team's waiting turns come before it, itself included; null when it does not wait in the queue. */
  position: z.number().int().nullable(),
  /** When a turn that sleeps goes on by itself. */
  wakesAt: moment.nullable(),
  ending: turnEnding.nullable(),
  steps: z.array(turnStep),
  use,
  createdAt: moment,
  startedAt: moment.nullable(),
  endedAt: moment.nullable(),
  createdBy: author,
  startedBy,
  /** The turn whose question it answers again. */
  retryOf: idOf('turn').nullable(),
  /** The turn whose answer it goes on with. */
  continues: idOf('turn').nullable(),
})
export type Turn = z.infer<typeof turn>

/** What a person said into a turn under way: a part of its answer, at the place where the model heard it. */
export const saidData = z.object({ parts: z.array(keptPart), createdBy: author, createdAt: moment })
export type SaidData = z.infer<typeof saidData>

/** A message in the AI SDK's form: its parts are text, reasoning, files, tool calls with their results, and data. */
export const message = z.object({
  id: idOf('message'),
  parentId: idOf('message').nullable(),
  role: z.enum(['user', 'assistant', 'system']),
  parts: z.array(z.looseObject({ type: z.string() })),
  metadata: z.looseObject({}).optional(),
  createdAt: moment,
  createdBy: author,
  turnId: idOf('turn').nullable(),
  /** Other messages with the same parent: branches to switch to. */
  siblings: z.array(idOf('message')),
})
export type Message = z.infer<typeof message>
export type MessagePart = Message['parts'][number]

/** Who may see a conversation with all that belongs to it: its author, or everyone in the team. */
export const threadReach = z.enum(['private', 'team'])
export type ThreadReach = z.infer<typeof threadReach>

/** What began a conversation. */
export const threadOrigins = ['person', 'key', 'trigger', 'agent'] as const
export type ThreadOrigin = (typeof threadOrigins)[number]

/** A version of a skill that a conversation tries, whichever skills its agent lists. */
const triedSkill = z.strictObject({ name: skillName, version: z.number().int().min(1).max(2_147_483_647) })
export type TriedSkill = z.infer<typeof triedSkill>

export const threadSummary = z.object({
  id: idOf('thread'),
  agent: z.string(),
  model: z.string().nullable(),
  title: z.string(),
  pinned: z.boolean(),
  reach: threadReach,
  startedBy: z.enum(threadOrigins),
  isArchived: z.boolean(),
  /** Another person's private conversation, as admins see it: that it is there and what it cost. */
  isHidden: z.boolean(),
  activity,
  /** The turn under way, if any. */
  turnId: idOf('turn').nullable(),
  workspaceId: z.string().nullable(),
  sandboxId: z.string().nullable(),
  skill: triedSkill.nullable(),
  /** It tries a definition that nobody saved. */
  triesDefinition: z.boolean(),
  /** Of all its turns; waiting for people is part of their time. */
  use: use.extend({ durationMs: z.number() }),
  createdAt: moment,
  updatedAt: moment,
  createdBy: author,
})
export type ThreadSummary = z.infer<typeof threadSummary>

/** What was said while the agent worked, until it is taken up. */
export const queuedMessage = z.object({
  id: idOf('message'),
  text: z.string(),
  /** Names of what is attached. */
  files: z.array(z.string()),
  createdAt: moment,
  createdBy: author,
  /** Why it could not be said; it waits for its author. */
  problem: z.string().nullable(),
})
export type QueuedMessage = z.infer<typeof queuedMessage>

export const thread = threadSummary.extend({
  /** The branch that is shown, oldest first. */
  messages: z.array(message),
  /** Oldest first. */
  queued: z.array(queuedMessage),
})
export type Thread = z.infer<typeof thread>

/** The turn that answers what was said, or the one under way that it waits for. */
export const saidTurn = turn.extend({ queued: queuedMessage.optional() })

/** A thread that was just made, with the turn that answers its first message. */
export const begunThread = thread.extend({ turn: turn.optional() })
export type BegunThread = z.infer<typeof begunThread>

// how the first bytes of each kind are written in base64
const imageBeginnings: Record<string, RegExp> = {
  'image/png': /^iVBORw0KGgo/,
  'image/jpeg': /^\/9j\//,
  'image/gif': /^R0lGODdh|^R0lGODlh/,
  'image/webp': /^UklGR.{7}RUJQ/,
}

const image = z
  .strictObject({
    name: text().min(1).max(255),
    mediaType: text().regex(/^image\/(?:png|jpeg|gif|webp)$/, 'must be image/png, image/jpeg, image/gif or image/webp'),
    base64: z.base64().max(7_000_000),
  })
  .refine(({ mediaType, base64 }) => imageBeginnings[mediaType]?.test(base64) ?? true, {
    error: 'is no image of that type',
    path: ['base64'],
  })

export const turnRequest = z.strictObject({
  text: text().min(1).max(200_000),
  files: z.array(image).max(8).optional(),
  attachments: z.array(idOf('attachment')).max(20).optional().describe('Files that were uploaded before'),
  /** Answers from another place than the end: the message to answer after; null begins anew. */
  parentId: idOf('message').nullable().optional(),
  model: modelName.optional(),
})
export type TurnRequest = z.infer<typeof turnRequest>

export const threadRequest = z.strictObject({
  agent: agentName.default('coder'),
  workspaceId: text().max(64).optional(),
  model: modelName.optional(),
  title: text().min(1).max(200).optional(),
  definition: text()
    .min(1)
    .max(200_000)
    .optional()
    .describe('A definition to try without saving it, as YAML or JSON; the conversation is with the agent it names'),
  skill: triedSkill.optional().describe('An approved version of a skill to try, whichever skills the agent lists'),
  message: turnRequest
    .pick({ text: true, files: true, attachments: true })
    .optional()
    .describe('The first message: the agent begins to answer it, and the turn is part of the answer'),
  /** Private for a person who signed in, else the team's, unless said. */
  reach: threadReach.optional(),
})
export type ThreadRequest = z.infer<typeof threadRequest>

const mostParts = 20_000

/** Counts the parts before any is looked at: messages and parts may each be many, and their product would hold up the server. */
function refuseManyParts(messages: unknown, context: z.RefinementCtx): unknown {
  if (!Array.isArray(messages)) return messages
  const count = messages.reduce((sum: number, one: { parts?: unknown[] } | null) => sum + (one?.parts?.length ?? 0), 0)
  if (count > mostParts) {
    context.addIssue({ code: 'custom', message: `must not have more than ${mostParts} parts in all messages` })
  }
  return messages
}

/** A conversation as a file, to keep or to bring in elsewhere. */
export const threadFile = z.strictObject({
  kind: z.literal('coherex-thread'),
  version: z.literal(1),
  agent: text().max(64),
  title: text().max(200),
  messages: z.preprocess(
    refuseManyParts,
    z
      .array(
        z.strictObject({
          id: text().max(64),
          parentId: text().max(64).nullable(),
          role: z.enum(['user', 'assistant']),
          parts: z.array(keptPart).max(1_000),
          // the database knows no such year
          createdAt: moment.refine((at) => !at.startsWith('0000'), 'there is no year 0'),
          createdBy: text().max(200),
        }),
      )
      .max(10_000),
  ),
})
export type ThreadFile = z.infer<typeof threadFile>

/** What can be brought in: a file of ours, the text of one that was exported for reading, or a notebook of Jupyter. */
export const threadImport = z.discriminatedUnion('kind', [
  threadFile,
  z.strictObject({ kind: z.literal('markdown'), text: text().min(1) }),
  z.strictObject({
    kind: z.literal('notebook'),
    title: text().trim().min(1).max(200),
    agent: text().max(64).describe('Who answers in the conversation'),
    notebook: notebookFile,
  }),
])

/** What an answer did to files: one entry for each file of each version that it made. */
export const turnChanges = z.object({
  workspaceId: idOf('workspace').nullable(),
  items: z.array(fileDiff.extend({ version: z.number().int() })),
})
export type TurnChanges = z.infer<typeof turnChanges>

export const undoneTurn = undoneChanges.extend({
  /** The workspace's version after it; null where no file was changed. */
  version: z.number().int().nullable(),
})
export type UndoneTurn = z.infer<typeof undoneTurn>
