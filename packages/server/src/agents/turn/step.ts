import type { TokenUse } from '../../models/index.ts'

export interface StepRecord {
  number: number
  finishReason: string
  tokens: TokenUse
  costUsd: number | null
  startedAt: Date
  durationMs: number
  firstTokenMs: number | null
}

/** A call of the model that failed and is made again. */
export interface StepRetry {
  step: number
  attempt: number
  reason: string
}
