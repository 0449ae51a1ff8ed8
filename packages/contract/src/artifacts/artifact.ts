import { z } from 'zod'
import { threadReach } from '../agents/thread.ts'
import { errorKind, largestLimits, run, runStatus } from '../runs/run.ts'
import { idOf } from '../wire/id.ts'
import { jsonValue } from '../wire/json-value.ts'
import { anyText, text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'

const person = z.object({ id: z.string(), name: z.string() })
const versionNumber = z.number().int().min(1).max(2_147_483_647)

/** Bounds of what is kept of an artifact, and of what a browser reports. */
export const largestArtifact = { code: 200_000, outputLines: 2_000, output: 500_000, versions: 1_000 } as const

export const artifactKind = z.enum(['code', 'html', 'react', 'svg', 'mermaid', 'vega', 'markdown'])

/** A fence of a message that was edited or run. Its first version is the text of the message. */
export const artifact = z.object({
  id: idOf('artifact'),
  threadId: idOf('thread'),
  messageId: idOf('message'),
  index: z.number().int(),
  kind: artifactKind,
  language: z.string(),
  title: z.string().nullable(),
  version: z.number().int(),
  /** That of its conversation. */
  reach: threadReach,
  code: z.string(),
  /** The newest of its executions. */
  runId: idOf('run').nullable(),
  updatedAt: moment,
  updatedBy: person,
})
export type Artifact = z.infer<typeof artifact>

export const artifactVersion = z.object({
  version: z.number().int(),
  size: z.number().int(),
  createdAt: moment,
  createdBy: person,
})
export type ArtifactVersion = z.infer<typeof artifactVersion>

const code = text().max(largestArtifact.code)
/** The version that was seen: somebody else's newer one is not written over. */
const expectedVersion = versionNumber

export const artifactChange = z.strictObject({
  code,
  expectedVersion,
  /** The text that was changed. With it, a newer version is no conflict where it changed other lines: both changes are kept. */
  base: code.optional(),
})

const reportedText = anyText().max(largestArtifact.output)
const reportedLine = z.union([
  z.strictObject({
    at: z.number().min(0),
    stream: z.enum(['stdout', 'stderr', 'log', 'info', 'warn', 'error', 'debug']),
    text: reportedText,
  }),
  z.strictObject({ at: z.number().min(0), stream: z.literal('display'), data: z.record(text().max(100), jsonValue) }),
])

/** What a browser says of code that it ran. */
const executionReport = z
  .strictObject({
    status: runStatus.extract(['succeeded', 'failed', 'cancelled']),
    output: z.array(reportedLine).max(largestArtifact.outputLines),
    truncated: z.boolean().default(false),
    result: jsonValue.optional(),
    resultText: anyText().max(10_000).optional(),
    error: z
      .strictObject({
        kind: errorKind,
        message: anyText().max(10_000),
        line: z.number().int().min(0).optional(),
        stack: anyText().max(20_000).optional(),
      })
      .optional(),
    durationMs: z.number().min(0).max(largestLimits.timeoutMs),
    /** Of its session, where it is known: WebAssembly says it, JavaScript does not. */
    peakMemoryMb: z.number().min(0).max(65_536).optional(),
  })
  .refine(({ output, result }) => sizeOf(output, result) <= largestArtifact.output, 'output and result are too large')

function sizeOf(output: readonly z.infer<typeof reportedLine>[], result: unknown): number {
  const lines = output.map((line) => ('text' in line ? line.text.length : JSON.stringify(line.data).length))
  return lines.reduce((sum, length) => sum + length, result === undefined ? 0 : JSON.stringify(result).length)
}

export type ExecutionReport = z.input<typeof executionReport>

const asked = {
  /** What to run; the newest version unless given. Another text than that is kept as the next version. */
  code: code.optional(),
  expectedVersion: expectedVersion.optional(),
}

/** On the server in the conversation's own session of the language, or a report of what a browser did. */
export const artifactExecution = z.discriminatedUnion('runtime', [
  z.strictObject({ runtime: z.literal('server'), ...asked }),
  z.strictObject({ runtime: z.literal('browser'), ...asked, report: executionReport }),
])
export type ArtifactExecution = z.output<typeof artifactExecution>

const index = z.number().int().min(0).max(10_000)
export const fenceRequest = z.strictObject({ index })
export const fenceExecution = z.discriminatedUnion('runtime', [
  z.strictObject({ index, runtime: z.literal('server'), ...asked }),
  z.strictObject({ index, runtime: z.literal('browser'), ...asked, report: executionReport }),
])

/** One execution in the history of an artifact. */
export const artifactRun = run
  .pick({
    id: true,
    status: true,
    language: true,
    durationMs: true,
    peakMemoryMb: true,
    createdAt: true,
    createdBy: true,
    artifactVersion: true,
    reportedBy: true,
  })
  .extend({ artifactId: idOf('artifact'), index: z.number().int() })
export type ArtifactRun = z.infer<typeof artifactRun>
