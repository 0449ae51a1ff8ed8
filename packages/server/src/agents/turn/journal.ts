import type { Environment } from '../../runs/index.ts'
import type { Admission } from './admission.ts'
import type { AgentTool } from './tool.ts'

/** What a program hears of a call. */
export type CallAnswer = { value: { text: string; data?: unknown } } | { error: { code: string; message: string } }

/** A call that an earlier run of the program made. */
export interface RecordedCall {
  number: number
  tool: string
  /** As the program gave it, in canonical JSON. */
  input: string
  /** What an approver made of it, as JSON. */
  editedInput: string | null
  /** Absent for one that was under way, or waited for a person, when the program was stopped. */
  answer?: CallAnswer
}

/** A call that the program makes now. */
export interface LiveCall {
  number: number
  tool: AgentTool
  /** As the program gave it, in canonical JSON. */
  text: string
}

/** What a program did, kept so that it can be run again without doing any of it twice. */
export interface Journal {
  /** The clock and the randomness of every run of the program. */
  fixed: { now: number; seed: string }
  /** The variables of every run of the program: those of when it began. */
  environment: Environment
  /** By number. */
  recorded: readonly RecordedCall[]
  /** Those of them that were answered, in the order the program heard it. */
  answered: readonly number[]
  /** Whether the call may be made now. It is written down before anything happens. */
  admit(call: LiveCall, input: unknown): Promise<Admission>
  /** What it gave, written down before the program hears it. */
  answer(call: LiveCall, answer: CallAnswer, editedInput?: unknown): Promise<void>
}

/** How a call of a program is named among those of its turn. */
export function innerCallId(programCallId: string, number: number): string {
  return `${programCallId}/${number}`
}

/** Whether a call is this one, or one that the program of this one made. */
export function isCallOf(callId: string, id: string | null): boolean {
  return id === callId || (id?.startsWith(`${callId}/`) ?? false)
}
