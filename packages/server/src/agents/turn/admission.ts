import type { TeamCaller } from '../../access/index.ts'
import type { OpenCall } from './answer.ts'
import type { AgentTool } from './tool.ts'

export interface CallToAdmit {
  call: OpenCall
  tool: AgentTool
  /** Parsed. */
  input: unknown
  /** What the call stands in, where it is not the model's own. */
  via?: readonly string[]
}

/** Whether a call is made now. */
export type Admission =
  | {
      kind: 'run'
      isApproved: boolean
      approvalId?: string
      editedInput?: unknown
      /** With the rights they have now. */
      caller?: TeamCaller
    }
  | { kind: 'wait'; approvalId: string; reason: string; isNew: boolean }
  /** A person said no, or nobody answered. */
  | { kind: 'deny'; approvalId: string; reason: string }
  /** Beyond the rights of the caller. */
  | { kind: 'refuse'; reason: string }
  | { kind: 'sleep'; until: Date }
  /** The call is over, with this answer. */
  | { kind: 'answer'; text: string }
