// What the tests of sandboxes that live on are told in.
import type { Readable } from 'node:stream'
import { CoherexError, type Language, type OutputLine } from '@coherex/contract'
import type { Cell, CellOptions, CellOutcome, Sandbox, SandboxLimits, SandboxSpec } from './sandbox.ts'

/** One cell per thing to prove, in a language that keeps state. */
export interface SessionSamples {
  language: Language
  /** Sets `x` to 41, prints nothing, has no result. */
  sets: string
  /** Prints `x` plus one, and a line break. */
  shows: string
  /** Prints "absent" and a line break when there is no `x`. */
  asks: string
  /** Prints "ready", then waits or computes for ever, and can be interrupted. */
  waits: string
  /** Prints "ready", then never ends and will not be interrupted. Left out where a language has no way to refuse. */
  refusesToStop?: string
  /** Ends its own interpreter at once, with code 3. */
  exits: string
  /** Fails. */
  fails: string
}

export interface SandboxSubject {
  open(spec: SandboxSpec): Promise<Sandbox>
  close(): Promise<void>
  /** What is left of closed sandboxes on the machine: processes, control groups, mounts. */
  leftovers(): string[]
}

export interface Told extends CellOutcome {
  output: OutputLine[]
  text: string
}

export const contractLimits: SandboxLimits = {
  memoryMb: 256,
  processes: 64,
  openFiles: 256,
  diskMb: 64,
  inodes: 2_000,
}

export type Ask = Partial<Omit<Cell, 'code' | 'language'>> &
  Partial<Omit<CellOptions, 'limits'>> & { limits?: Partial<CellOptions['limits']> }

/** Runs a cell with the contract's defaults, in the context of its language unless told otherwise. */
export async function runCell(sandbox: Sandbox, language: Language, code: string, ask: Ask = {}): Promise<Told> {
  const { context = language, stdin, input, limits, signal, capabilities, onOutput, onStart, onInput } = ask
  const output: OutputLine[] = []
  const outcome = await sandbox.runCell(
    { context, language, code, ...(stdin !== undefined && { stdin }), ...(input !== undefined && { input }) },
    {
      limits: { timeoutMs: 30_000, outputBytes: 1_000_000, ...limits },
      signal: signal ?? new AbortController().signal,
      capabilities: capabilities ?? {},
      onOutput(line) {
        output.push(line)
        onOutput?.(line)
      },
      onStart: onStart ?? (() => {}),
      ...(onInput && { onInput }),
    },
  )
  return { ...outcome, output, text: output.map(textOf).join('') }
}

/** As a reader sees it: each call of a console is a line. */
function textOf(line: OutputLine): string {
  if (line.stream === 'display') return ''
  return line.stream === 'stdout' || line.stream === 'stderr' ? line.text : `${line.text}\n`
}

export async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Resolves when the cell has printed `text`, with what stands for the cell. */
export function untilPrinted(start: (onOutput: (line: OutputLine) => void) => Promise<Told>, text: string) {
  let printed = ''
  const seen = Promise.withResolvers<void>()
  const cell = start((line) => {
    if ('text' in line) printed += line.text
    if (printed.includes(text)) seen.resolve()
  })
  void cell.then(() => seen.reject(new Error(`it ended without printing ${text}: ${printed}`))).catch(() => {})
  return seen.promise.then(() => ({ cell }))
}

export const content = (...pieces: (string | Uint8Array)[]) =>
  (async function* () {
    for (const piece of pieces) yield Buffer.from(piece)
  })()

export const runPython = (sandbox: Sandbox, code: string, ask?: Ask) => runCell(sandbox, 'python', code, ask)

/** The code that something was refused with. */
export async function failureOf(act: Promise<unknown>) {
  const error = await act.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof CoherexError ? error.code : error
}
