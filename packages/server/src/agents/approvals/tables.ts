import type { Approval, ApprovalRule, ApprovalStatus } from '@coherex/contract'
import { boolean, integer, jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

const coherex = pgSchema('coherex')
const at = (name: string) => timestamp(name, { withTimezone: true })

export const approvalTable = coherex.table('approval', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  turnId: text('turn_id').notNull(),
  threadId: text('thread_id').notNull(),
  agentName: text('agent_name').notNull(),
  callId: text('call_id').notNull(),
  tool: text('tool').notNull(),
  reference: text('reference').notNull(),
  kind: text('kind').$type<Approval['kind']>().notNull(),
  reason: text('reason').notNull(),
  input: jsonb('input').$type<unknown>().notNull(),
  hash: text('hash').notNull(),
  status: text('status').$type<ApprovalStatus>().notNull().default('pending'),
  personId: text('person_id').notNull(),
  personName: text('person_name').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  expiresAt: at('expires_at').notNull(),
  decidedBy: text('decided_by'),
  decidedByName: text('decided_by_name'),
  decidedAt: at('decided_at'),
  note: text('note'),
  editedInput: jsonb('edited_input').$type<unknown>(),
  editedHash: text('edited_hash'),
  usedAt: at('used_at'),
  via: jsonb('via').$type<readonly string[]>().notNull().default([]),
  rootThreadId: text('root_thread_id'),
  mayStand: boolean('may_stand').notNull().default(false),
})
export type StoredApproval = typeof approvalTable.$inferSelect

export const approvalRuleTable = coherex.table('approval_rule', {
  teamId: text('team_id').notNull(),
  reference: text('reference').notNull(),
  rule: jsonb('rule').$type<ApprovalRule>().notNull(),
})

export const turnCallTable = coherex.table('turn_call', {
  teamId: text('team_id').notNull(),
  turnId: text('turn_id').notNull(),
  callId: text('call_id').notNull(),
  tool: text('tool').notNull(),
  status: text('status').$type<'begun' | 'done' | 'failed' | 'sleeping'>().notNull(),
  begunAt: at('begun_at').notNull().defaultNow(),
  wakeAt: at('wake_at'),
})

export const threadApprovalTable = coherex.table('thread_approval', {
  teamId: text('team_id').notNull(),
  threadId: text('thread_id').notNull(),
  agentName: text('agent_name').notNull(),
  agentVersion: integer('agent_version').notNull(),
  tool: text('tool').notNull(),
  personId: text('person_id').notNull(),
  personName: text('person_name').notNull(),
  decidedBy: text('decided_by').notNull(),
  decidedByName: text('decided_by_name').notNull(),
  approvalId: text('approval_id').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})
