import {
  type ErrorKind,
  formatDuration,
  type Language,
  languageFacts,
  languages,
  type Run,
  type RunError,
  type RuntimeName,
} from '@coherex/contract'

export const languageNames = Object.fromEntries(
  languages.map((language) => [language, languageFacts[language].name]),
) as Record<Language, string>

/** The runtimes of this installation: what one can look for in a list. */
export const usedRuntimes = ['isolate', 'process', 'wasm'] as const satisfies RuntimeName[]

/** What went wrong in two or three words, and what one can do about it. */
const errorWords: Record<ErrorKind, { title: string; advice?: string }> = {
  syntax: { title: 'Syntax error' },
  runtime: { title: 'The code failed' },
  timeout: { title: 'Out of time', advice: 'Ask for more time in the options, up to five minutes.' },
  memory: { title: 'Out of memory', advice: 'Ask for more memory in the options, up to 2 GB.' },
  output: { title: 'Too much output', advice: 'Print or return less, or write to a file.' },
  denied: { title: 'Not allowed', advice: 'The sandbox does not allow what the code tried.' },
  cancelled: { title: 'Stopped' },
  validation: { title: 'Invalid input' },
  internal: { title: 'Server error', advice: 'Something went wrong on our side. Run it again.' },
}

/** A cell has the memory of its sandbox, and its time in its options. */
const cellAdvice: Partial<Record<ErrorKind, string>> = {
  timeout: 'Give it more time in its options, up to five minutes, or start it as a command under Processes.',
  memory: 'Give the sandbox more memory in its settings.',
}

/** What went wrong; a mistake in the types is told by its number. */
export function titleOf({ kind, message }: Pick<RunError, 'kind' | 'message'>): string {
  return kind === 'syntax' && /^TS\d+: /.test(message) ? 'Type error' : errorWords[kind].title
}

/** Whether a stop says no more than that somebody stopped it. */
export function isPlainStop({ kind, message }: Pick<RunError, 'kind' | 'message'>): boolean {
  return kind === 'cancelled' && /^The (?:run|cell|program) was (?:cancelled|interrupted)$/.test(message)
}

/** What one can do about an error; undefined when the message says it all. */
export function adviceFor(
  { kind }: Pick<RunError, 'kind'>,
  { sandboxId, reportedBy }: Pick<Run, 'sandboxId' | 'reportedBy'>,
): string | undefined {
  if (reportedBy)
    return kind === 'timeout' || kind === 'memory' ? 'Run it on the server, which gives it more.' : undefined
  return (sandboxId && cellAdvice[kind]) || errorWords[kind].advice
}

/** How long a run took, or takes since it began. Undefined while it waits. */
export function runTime(
  run: Pick<Run, 'status' | 'durationMs' | 'queuedMs' | 'createdAt'>,
  nowMs: number,
): string | undefined {
  if (run.status === 'queued' || run.status === 'loading') return undefined
  if (run.status !== 'running') return formatDuration(run.durationMs)
  return formatDuration(Math.max(0, Math.floor((nowMs - Date.parse(run.createdAt) - run.queuedMs) / 100) * 100))
}

/** The word for how a run stands: running out of time is no mistake of the code. */
export function statusWord({ status, error }: Pick<Run, 'status' | 'error'>): Run['status'] | 'timed out' {
  return status === 'failed' && error?.kind === 'timeout' ? 'timed out' : status
}
