import { z } from 'zod'
import { idOf } from '../wire/id.ts'
import { storableJson } from '../wire/json-value.ts'
import { namedRecord } from '../wire/named-record.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { fileDiff } from '../workspaces/workspace.ts'
import { approvalsByTool } from './agent.ts'

export const approvalStatus = z.enum(['pending', 'approved', 'rejected', 'expired', 'cancelled'])
export type ApprovalStatus = z.infer<typeof approvalStatus>

const author = z.object({ id: z.string(), name: z.string() })

/** A call that an agent wants to make and a person decides. */
export const approval = z.object({
  id: idOf('approval'),
  /** `call`: a rule asks for it. `repeat`: it was under way when its server stopped, and may have been done already. */
  kind: z.enum(['call', 'repeat']),
  reason: z.string(),
  status: approvalStatus,
  agent: z.string(),
  /** Null for an approver who may see the call and not the conversation. */
  threadId: idOf('thread').nullable(),
  turnId: idOf('turn'),
  callId: z.string(),
  /** What led to the call, outermost first: agents that asked this one, and the program that makes it. */
  via: z.array(z.string()),
  tool: z.string(),
  input: z.unknown(),
  /** The same as text, in which nothing is invisible: what is hidden in it stands as <U+200B>. */
  shownInput: z.string(),
  /** Of tool, arguments, turn, call and requester. An answer counts for this and for nothing else. */
  hash: z.string(),
  requestedBy: author,
  createdAt: moment,
  expiresAt: moment,
  decidedBy: author.nullable(),
  decidedAt: moment.nullable(),
  note: z.string().nullable(),
  /** What the approver made of the arguments, when they changed them. */
  editedInput: z.unknown().optional(),
  usedAt: moment.nullable(),
  /** Whether the answer can stand for the conversation: not where the team's rules ask, or what is forced on the agent. */
  mayStand: z.boolean(),
})
export type Approval = z.infer<typeof approval>

/** What a call that waits would do to files as they are now. */
export const approvalChange = z.object({
  workspaceId: idOf('workspace').nullable(),
  /** Empty where the call writes no file. */
  items: z.array(fileDiff),
  /** `proposal`: people changed the same lines, so that it would wait for them once more. */
  outcome: z.enum(['change', 'proposal']),
  /** Why the call would fail; null when it would not. */
  problem: z.string().nullable(),
  /** The last change of these files after the question was asked. */
  changedSince: z.object({ path: z.string(), version: z.number().int(), author: z.string(), at: moment }).nullable(),
})
export type ApprovalChange = z.infer<typeof approvalChange>

/** Names what a person approves once more, by the hashes that they were shown. */
export const approveAgain = z.array(text().max(128)).max(1_000).optional()

/** An approval that a call needed, and needs again where it is to be repeated. */
export const neededApproval = approval.pick({
  tool: true,
  agent: true,
  threadId: true,
  reason: true,
  input: true,
  shownInput: true,
  hash: true,
  decidedBy: true,
  decidedAt: true,
})
export type NeededApproval = z.infer<typeof neededApproval>

export const approvalDecision = z.strictObject({
  decision: z.enum(['approve', 'reject']),
  /** The hash that was shown: an answer to anything else is refused. */
  hash: text().max(128).optional(),
  /** Other arguments to make the call with. */
  input: namedRecord<unknown>(text(), storableJson).optional(),
  note: text().max(2_000).optional(),
  /** Approve it and later calls of the same tool by the same agent, for the same person, in this conversation. */
  forThread: z.literal(true).optional(),
})
export type ApprovalDecision = z.infer<typeof approvalDecision>

/** Calls that an agent makes in a conversation without asking again, because a person said so. */
export const threadApproval = z.object({
  /** The answer it was given with. */
  id: idOf('approval'),
  agent: z.string(),
  tool: z.string(),
  /** For whom the agent works: for others in the thread it asks. */
  requestedBy: author,
  decidedBy: author,
  createdAt: moment,
})
export type ThreadApproval = z.infer<typeof threadApproval>

export const approvalRules = z.strictObject({ rules: approvalsByTool })
