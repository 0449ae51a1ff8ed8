import type { TurnEnding } from '@coherex/contract'

/** A call that needs no person. */
export interface PlainCall {
  id: string
  tool: string
  isReadOnly: boolean
}

/** A call that was made. */
export interface ExecutedCall {
  id: string
  tool: string
  status: 'done' | 'failed'
  startedAt: string
  durationMs: number
  runId: string | null
}

/** A call that stays open: it waits for a person, or sleeps. */
export type RestingCall = { id: string; tool: string } & (
  | { status: 'waiting'; approvalIds: readonly string[] }
  | { status: 'sleeping'; until: Date }
)

/** A call after which the turn ends. */
export interface BreakingCall extends ExecutedCall {
  ending: TurnEnding
}
