import type { ExecutionReport, OutputLine } from '@coherex/contract'

/** What a worker is told to run. */
export interface RunRequest {
  language: string
  code: string
}

export type TextLine = Extract<OutputLine, { text: string }>

/** A result as JSON. */
export type Json = NonNullable<ExecutionReport['result']> | null | undefined

/** How code ended that a browser ran. */
export type Outcome = Pick<ExecutionReport, 'status' | 'result' | 'resultText' | 'error'> & {
  /** Why the server would do better, where it would. */
  needsServer?: string | undefined
}

/** What a worker says. Code of others runs beside it: nothing of it is believed before it is checked. */
export type WorkerMessage =
  | { type: 'ready' }
  | { type: 'broken'; message: string }
  | { type: 'output'; lines: TextLine[]; truncated: boolean }
  | { type: 'end'; outcome: Outcome }

/** Of one run, in lines and characters; the server takes no more. */
export const mostOutput = { lines: 1_900, characters: 350_000 } as const
