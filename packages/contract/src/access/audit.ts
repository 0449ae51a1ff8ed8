import { z } from 'zod'
import { idOf } from '../wire/id.ts'
import { moment } from '../wire/time.ts'

/** One thing that was done: who, what, on what, when, from where. */
export const auditEvent = z.object({
  id: idOf('audit'),
  at: moment,
  actor: z.object({
    kind: z.enum(['person', 'key', 'agent', 'system']),
    id: z.string().nullable(),
    name: z.string(),
  }),
  /** Noun and verb, such as `member.remove`. */
  action: z.string(),
  target: z.object({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() }).nullable(),
  details: z.record(z.string(), z.unknown()),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
})
export type AuditEvent = z.infer<typeof auditEvent>
