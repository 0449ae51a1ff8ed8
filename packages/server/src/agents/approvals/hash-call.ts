import { createHash } from 'node:crypto'
import { canonicalJson } from '../../base/index.ts'

/** Everything an answer is bound to. */
export interface BoundCall {
  tool: string
  input: unknown
  turnId: string
  callId: string
  /** The person the agent works for. */
  requesterId: string
}

export function hashCall({ tool, input, turnId, callId, requesterId }: BoundCall): string {
  return createHash('sha256')
    .update(canonicalJson([tool, input, turnId, callId, requesterId]))
    .digest('hex')
}
