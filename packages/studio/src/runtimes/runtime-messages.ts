import type { ExecutionReport, OutputLine, SandboxVariable, SandboxVariablePage } from '@coherex/contract'

/** What a worker is told to run. */
export interface RunRequest {
  language: string
  code: string
  /** An address that can be loaded until the code is to stop. */
  mark?: string | undefined
}

export type TextLine = Extract<OutputLine, { text: string }>
export type DisplayLine = Extract<ExecutionReport['output'][number], { stream: 'display' }>
export type ShownLine = TextLine | DisplayLine

/** A result as JSON. */
export type Json = NonNullable<ExecutionReport['result']> | null | undefined

/** How code ended that a browser ran. */
export type Outcome = Pick<ExecutionReport, 'status' | 'result' | 'resultText' | 'error'> & {
  /** Why the server would do better, where it would. */
  needsServer?: string | undefined
  /** That of its session, where the runtime knows it. */
  peakMemoryMb?: number | undefined
}

/** What a session is asked between runs. */
export type Question = { about: 'all' } | { about: 'one'; name: string; offset: number; limit: number }
export type Answer = { variables: SandboxVariable[] } | { variable: SandboxVariablePage | undefined }

/** Packages for a worker that cannot fetch them itself. */
export interface FoundPackages {
  files: { name: string; bytes: ArrayBuffer }[]
  /** Why some of them cannot be had in a browser. */
  missing: { module: string; why: string }[]
}

export type ToWorker =
  | ({ type: 'run' } & RunRequest)
  | { type: 'look'; question: Question }
  | { type: 'input'; text: string | null }
  | ({ type: 'packages' } & FoundPackages)

/** What a worker says. Code of others runs beside it: nothing of it is believed before it is checked. */
export type WorkerMessage =
  | { type: 'ready' }
  | { type: 'broken'; message: string }
  | { type: 'output'; lines: ShownLine[]; truncated: boolean }
  | { type: 'end'; outcome: Outcome }
  | { type: 'seen'; answer: Answer }
  | { type: 'ask'; prompt: string }
  | { type: 'want'; modules: string[] }

/** Of one run, in lines and characters; the server takes no more. */
export const mostOutput = { lines: 1_900, characters: 350_000 } as const
