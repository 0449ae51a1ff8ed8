import { idOf } from '@coherex/contract'
import { z } from 'zod'
import type { ToolContext } from './tool.ts'

/** What a turn can sleep for inside the product. */
export const sleepEvent = z.strictObject({
  event: z.enum(['file-changed', 'run-failed']),
  workspace: idOf('workspace').optional().describe('This thread’s unless said'),
  paths: z.array(z.string().min(1).max(200)).min(1).max(20).optional().describe('Globs, for file-changed'),
})
export type SleepEvent = z.infer<typeof sleepEvent>

export const awaitedRequest = z.strictObject({ webhook: idOf('wake').describe('The id that create_wake_url gave') })

/** What a turn can sleep for, beside a time. */
export interface WakeDoors {
  /** An address that wakes the turn, once. */
  address(context: ToolContext): Promise<{ id: string; url: string }>
  /** Has the call wait until then; answers at once with what has come already. */
  wait(
    context: ToolContext,
    awaited: SleepEvent | z.infer<typeof awaitedRequest>,
    until: Date,
  ): Promise<string | undefined>
}
