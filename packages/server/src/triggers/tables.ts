import type { DeliveryKind, DeliveryStatus, ToolTrigger, TriggerDefinition, TriggerKind } from '@coherex/contract'
import { customType, integer, jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import type { Acting, ActsFor } from '../access/index.ts'
import type { Seen } from '../agents/index.ts'

const coherex = pgSchema('coherex')
const at = (name: string) => timestamp(name, { withTimezone: true })
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const triggerTable = coherex.table('trigger', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  agentName: text('agent_name'),
  toolName: text('tool_name'),
  name: text('name').notNull(),
  kind: text('kind').$type<TriggerKind>().notNull(),
  definition: jsonb('definition').$type<TriggerDefinition | ToolTrigger>().notNull(),
  personId: text('person_id').notNull(),
  personName: text('person_name').notNull(),
  acting: jsonb('acting').$type<Acting>().notNull(),
  nextAt: at('next_at'),
  seen: jsonb('seen').$type<Seen>(),
  hook: text('hook'),
  hookHash: text('hook_hash'),
  heldUntil: at('held_until'),
  createdAt: at('created_at').notNull().defaultNow(),
})
export type StoredTrigger = typeof triggerTable.$inferSelect

export const triggerSecretTable = coherex.table('trigger_secret', {
  teamId: text('team_id').notNull(),
  triggerId: text('trigger_id').notNull(),
  number: integer('number').notNull(),
  sealed: bytes('sealed').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  expiresAt: at('expires_at'),
})

export const deliveryTable = coherex.table('delivery', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  agentName: text('agent_name'),
  toolName: text('tool_name'),
  triggerId: text('trigger_id').notNull(),
  triggerName: text('trigger_name').notNull(),
  kind: text('kind').$type<DeliveryKind>().notNull(),
  key: text('key').notNull(),
  bodyHash: text('body_hash').notNull(),
  contentType: text('content_type').notNull(),
  body: bytes('body'),
  size: integer('size').notNull(),
  status: text('status').$type<DeliveryStatus>().notNull().default('pending'),
  reason: text('reason'),
  depth: integer('depth').notNull().default(0),
  tries: integer('tries').notNull().default(0),
  notBefore: at('not_before').notNull().defaultNow(),
  leaseUntil: at('lease_until'),
  threadId: text('thread_id'),
  runId: text('run_id'),
  redeliveryOf: text('redelivery_of'),
  /** Of one that was fired by hand. */
  firedBy: jsonb('fired_by').$type<Omit<ActsFor, 'teamId'>>(),
  receivedAt: at('received_at').notNull().defaultNow(),
  startedAt: at('started_at'),
})
export type StoredDelivery = typeof deliveryTable.$inferSelect
