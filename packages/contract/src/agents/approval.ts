import { z } from 'zod'
import { idOf } from '../wire/id.ts'
import { storableJson } from '../wire/json-value.ts'
import { namedRecord } from '../wire/named-record.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
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
  threadId: idOf('thread'),
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
})
export type Approval = z.infer<typeof approval>

export const approvalDecision = z.strictObject({
  decision: z.enum(['approve', 'reject']),
  /** The hash that was shown: an answer to anything else is refused. */
  hash: text().max(128).optional(),
  /** Other arguments to make the call with. */
  input: namedRecord<unknown>(text(), storableJson).optional(),
  note: text().max(2_000).optional(),
})
export type ApprovalDecision = z.infer<typeof approvalDecision>

export const approvalRules = z.strictObject({ rules: approvalsByTool })
