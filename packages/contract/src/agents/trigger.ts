import { z } from 'zod'
import { idOf } from '../wire/id.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { turnStatus } from './thread.ts'
import { signatures, triggerEvents } from './trigger-definition.ts'

export const triggerKinds = ['schedule', 'webhook', 'event'] as const
export type TriggerKind = (typeof triggerKinds)[number]

/** Whether it fires: not while its agent rests, while it fired too often, without a secret, or with nobody to act for. */
export const triggerStatus = z.enum(['active', 'paused', 'held', 'unsigned', 'refused'])
export type TriggerStatus = z.infer<typeof triggerStatus>

export const deliveryStatuses = ['pending', 'started', 'failed', 'refused'] as const
export const deliveryStatus = z.enum(deliveryStatuses)
export type DeliveryStatus = z.infer<typeof deliveryStatus>

export const deliveryKinds = [...triggerKinds, 'test', 'redelivery'] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

/** One firing of a trigger, and what became of it. */
export const delivery = z.object({
  id: idOf('delivery'),
  /** What it starts: an agent or a tool. */
  agent: z.string().nullable(),
  tool: z.string().nullable(),
  triggerId: idOf('trigger'),
  trigger: z.string(),
  kind: z.enum(deliveryKinds),
  status: deliveryStatus,
  /** Why it was refused, failed or waits. */
  reason: z.string().nullable(),
  tries: z.number().int(),
  threadId: idOf('thread').nullable(),
  turnId: idOf('turn').nullable(),
  turnStatus: turnStatus.nullable(),
  /** The call of the tool. */
  runId: idOf('run').nullable(),
  contentType: z.string(),
  size: z.number().int(),
  /** The delivery it repeats. */
  redeliveryOf: idOf('delivery').nullable(),
  receivedAt: moment,
  startedAt: moment.nullable(),
})
export type Delivery = z.infer<typeof delivery>

/** With what was sent, as text, null when it was pruned; and what the agent answered, as far as it has. */
export const deliveryWithPayload = delivery.extend({ payload: z.string().nullable(), answer: z.string().nullable() })
export type DeliveryWithPayload = z.infer<typeof deliveryWithPayload>

export const trigger = z.object({
  id: idOf('trigger'),
  name: z.string(),
  agent: z.string().nullable(),
  tool: z.string().nullable(),
  kind: z.enum(triggerKinds),
  status: triggerStatus,
  /** Why it does not fire. */
  reason: z.string().nullable(),
  /** What the agent is told, or the input of the tool as JSON. */
  input: z.string().nullable(),
  workspaceId: z.string().nullable(),
  /** In whose name its turns act: whoever stored the version. */
  actsFor: z.object({ id: z.string(), name: z.string() }),
  schedule: z.object({ cron: z.string(), timezone: z.string(), next: z.array(moment) }).optional(),
  webhook: z
    .object({
      url: z.string(),
      signature: z.enum(signatures),
      secrets: z.array(z.object({ createdAt: moment, expiresAt: moment.nullable() })),
    })
    .optional(),
  event: z.object({ name: z.enum(triggerEvents), paths: z.array(z.string()) }).optional(),
  last: delivery.nullable(),
})
export type Trigger = z.infer<typeof trigger>

export const secretRequest = z.strictObject({
  value: text()
    .min(16)
    .max(200)
    .regex(/^[\x21-\x7e]+$/, 'must be visible characters')
    .optional()
    .describe('A secret of the sender, such as Slack’s signing secret; one is made unless said'),
  keepOldHours: z
    .number()
    .int()
    .min(0)
    .max(168)
    .default(24)
    .describe('How long signatures with the secrets before are still taken'),
})

/** Told once: nobody can read it back. */
export const madeSecret = z.object({ secret: z.string(), oldUntil: moment.nullable() })
export type MadeSecret = z.infer<typeof madeSecret>
