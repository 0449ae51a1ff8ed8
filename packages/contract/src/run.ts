import { z } from 'zod'
import { idOf } from './id.ts'
import { moment } from './time.ts'

export const runtimeNames = ['isolate', 'process', 'wasm', 'browser', 'e2b', 'batch'] as const
export const runtimeName = z.enum(runtimeNames)
export type RuntimeName = z.infer<typeof runtimeName>

export const languages = ['javascript', 'typescript', 'python', 'bash', 'node'] as const
export const language = z.enum(languages)
export type Language = z.infer<typeof language>

export const runStatuses = ['queued', 'loading', 'running', 'succeeded', 'failed', 'cancelled'] as const
export const runStatus = z.enum(runStatuses)
export type RunStatus = z.infer<typeof runStatus>

export const errorKinds = [
  'syntax',
  'runtime',
  'timeout',
  'memory',
  'output',
  'denied',
  'cancelled',
  'validation',
  'internal',
] as const
export const errorKind = z.enum(errorKinds)
export type ErrorKind = z.infer<typeof errorKind>

export const textStreams = ['stdout', 'stderr', 'log', 'info', 'warn', 'error', 'debug'] as const

/** One piece of output. `at` is milliseconds since the code started. */
export const outputLine = z.union([
  z.object({ at: z.number(), stream: z.enum(textStreams), text: z.string() }),
  z.object({ at: z.number(), stream: z.literal('display'), data: z.record(z.string(), z.unknown()) }),
])
export type OutputLine = z.infer<typeof outputLine>

/** What went wrong in the guest's code, in the guest's own lines and paths. */
export const runError = z.object({
  kind: errorKind,
  message: z.string(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  stack: z.string().optional(),
})
export type RunError = z.infer<typeof runError>

/** Which runtime took the run, why, and what was passed over. */
export const receipt = z.object({
  name: runtimeName,
  reason: z.string(),
  passedOver: z.array(z.object({ name: runtimeName, reason: z.string() })),
})
export type Receipt = z.infer<typeof receipt>

export const runFile = z.object({ path: z.string(), size: z.number().int() })

export const run = z.object({
  id: idOf('run'),
  status: runStatus,
  language,
  runtime: receipt.nullable(),
  output: z.array(outputLine),
  result: z.unknown().optional(),
  error: runError.optional(),
  files: z.array(runFile),
  truncated: z.boolean(),
  queuedMs: z.number(),
  durationMs: z.number(),
  peakMemoryMb: z.number().nullable(),
  createdAt: moment,
})
export type Run = z.infer<typeof run>
