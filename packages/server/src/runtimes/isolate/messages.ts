// Runs on both sides of the pipe.
import type { HostMessage, StartProgram } from '../protocol/messages.ts'
import type { FixedWorld, KeptProgram } from '../runtime.ts'

/** What a child needs to run one program in a fresh isolate. Files come before, in `file` messages. */
export interface IsolateStart extends StartProgram {
  language: 'javascript' | 'typescript'
  memoryMb: number
  /** Bounds of the scratch files that stand in where FILES was not granted. */
  scratch: { bytes: number; entries: number }
  resultBytes: number
  /** Bundles of the packages the program imports, by specifier: file names in the bundle directory. */
  bundles: Record<string, string>
  fixed?: FixedWorld
  /** Its isolate may serve later programs of this key, each in a context of its own. */
  kept?: KeptProgram
}

export type ToChild = Exclude<HostMessage, { type: 'start' }> | { type: 'start'; program: IsolateStart }

/**
 * A program too short to break a parser by how deep it is nested. Its start is told with the first thing that follows it: a
 * message of its own would cost more than many such programs.
 */
export function isBrief(program: IsolateStart, fileCount: number): boolean {
  return fileCount === 0 && program.code.length <= 2000
}

/** Where the child finds the bundles. */
export const bundleDirectory = '/app/bundles'

/**
 * Exit codes of `done`: the isolate ended cleanly, the same where it had been kept from an earlier run, or code of it may still be running
 * and the child must not be used again.
 */
export const doneCodes = { reusable: 0, spent: 1, kept: 2 } as const

/**
 * Guests run on the child's own thread, which has 8 MB of stack as a rule. What they call of the child at the end of theirs must
 * still find room on it.
 */
export const guestStackKb = 5000
export const ownStackKb = 6500
