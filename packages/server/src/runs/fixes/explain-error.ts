import type { Fix, Language, OutputLine, Run, RunError, RuntimeName } from '@coherex/contract'
import type { Limits } from '../../runtimes/index.ts'
import { explainLimit } from './explain-limit.ts'
import { explainMissing } from './explain-missing.ts'
import { explainNetwork } from './explain-network.ts'

/** A run that failed, and where it ran. What it printed and what its error says is the guest's and may say anything. */
export interface Failure {
  error: RunError
  language: Language
  runtime: RuntimeName | undefined
  /** A cell has the network and the memory of its sandbox. */
  place: 'run' | 'sandbox'
  output: readonly OutputLine[]
  requests: Run['requests']
  signs: Run['signs']
  hasStdin: boolean
  limits: Pick<Limits, 'timeoutMs' | 'cpuMs' | 'memoryMb' | 'outputBytes'>
  /** What the caller may ask for. */
  most: { timeoutMs: number; memoryMb: number; outputBytes: number }
  /** What it may reach; undefined where it has no network. */
  allow: readonly string[] | undefined
  /** The prefix to allow for a URL; undefined where no rule of a team could. */
  allowable(url: string): string | undefined
}

/** Why it failed in one line, unless its message says so, and what makes it go away. */
export interface Explanation {
  summary?: string
  fixes: Fix[]
}

/** The error with the line and the fixes that belong to it. Of several causes the first that fits is told. */
export function explainError(failure: Failure): RunError {
  const { error } = failure
  const explanation =
    explainLimit(failure) ?? explainMissing(failure) ?? explainInput(failure) ?? explainNetwork(failure)
  if (!explanation) return error
  const { summary, fixes } = explanation
  return { ...error, ...(summary !== undefined && { summary }), ...(fixes.length > 0 && { fixes }) }
}

function explainInput({ error, hasStdin, place }: Failure): Explanation | undefined {
  if (!/^EOFError\b/.test(error.message)) return undefined
  const what = place === 'run' ? 'run' : 'cell'
  const summary = hasStdin
    ? `The code asked for more input than this ${what} was given`
    : `The code asked for input, and this ${what} has no standard input`
  return { summary, fixes: [{ kind: 'give-stdin', value: '', label: 'Give standard input' }] }
}
