import { z } from 'zod'
import { packageLock } from '../packages/package.ts'
import { idOf } from '../wire/id.ts'
import { jsonValue } from '../wire/json-value.ts'
import { namedRecord } from '../wire/named-record.ts'
import { anyText, text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { isPlainPath } from '../workspaces/plain-path.ts'
import { fix } from './fix.ts'
import { language } from './languages.ts'
import { network } from './network.ts'
import { startedBy } from './started-by.ts'

export const runtimeNames = ['isolate', 'process', 'wasm', 'browser', 'e2b', 'batch'] as const
export const runtimeName = z.enum(runtimeNames)
export type RuntimeName = z.infer<typeof runtimeName>

export const runStatuses = ['queued', 'loading', 'running', 'succeeded', 'failed', 'cancelled'] as const
export const runStatus = z.enum(runStatuses)
export type RunStatus = z.infer<typeof runStatus>

const errorKinds = [
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

const textStreams = ['stdout', 'stderr', 'log', 'info', 'warn', 'error', 'debug'] as const

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
  /** How the guest's process ended, where it was one. */
  exitCode: z.number().int().optional(),
  /** Why it failed in one line of plain words, where the server knows more than the code could say. */
  summary: z.string().optional(),
  /** What makes it go away, the likeliest first. */
  fixes: z.array(fix).optional(),
})
export type RunError = z.infer<typeof runError>

/** Where a variable comes from, the nearest to the code first: what is nearer wins. */
const variableOrigins = ['run', 'sandbox', 'agent', 'tool', 'workspace'] as const
const variableOrigin = z.enum(variableOrigins)
export type VariableOrigin = z.infer<typeof variableOrigin>

/** Which runtime took the run, why, and what was passed over. */
export const receipt = z.object({
  name: runtimeName,
  reason: z.string(),
  passedOver: z.array(z.object({ name: runtimeName, reason: z.string() })),
  /** The variables it found, without their values. Absent where there were none, and in lists. */
  variables: z.array(z.object({ name: z.string(), from: variableOrigin })).optional(),
  /** The packages it had beyond those that are built in. Absent where there were none, and in lists. */
  lock: packageLock.optional(),
  /** What does for the packages it asked for where the base stack of Python has them. Absent where there were none, and in lists. */
  base: z.array(z.object({ name: z.string(), version: z.string() })).optional(),
  /** What was prepared for an earlier call of the same version of a tool served it. */
  kept: z.boolean().optional(),
})
export type Receipt = z.infer<typeof receipt>

const runFile = z.object({ path: z.string(), size: z.number().int() })

/** Something the sandbox saw that honest code rarely does. */
const runSign = z.object({ kind: z.string(), detail: z.string() })

export const inputRequest = z.object({ prompt: z.string(), secret: z.boolean() })
export type InputRequest = z.infer<typeof inputRequest>

export const run = z.object({
  id: idOf('run'),
  status: runStatus,
  language,
  /** Null until a runtime was chosen. */
  runtime: receipt.nullable(),
  output: z.array(outputLine),
  result: z.unknown().optional(),
  /** The result as its language writes it, where JSON may say less: Python's repr, in which 1.0 is not 1. Cut after 10,000 characters. */
  resultText: z.string().optional(),
  error: runError.optional(),
  files: z.array(runFile),
  truncated: z.boolean(),
  queuedMs: z.number(),
  durationMs: z.number(),
  peakMemoryMb: z.number().nullable(),
  createdAt: moment,
  startedAt: moment.nullable(),
  endedAt: moment.nullable(),
  /** Runs ahead in the queue, while queued. */
  position: z.number().int().optional(),
  /** SHA-256 of the code and its files: the same for the same program. */
  codeHash: z.string(),
  createdBy: z.object({ id: z.string(), name: z.string() }),
  startedBy: startedBy.optional(),
  /** The run whose program it runs again. */
  retryOf: idOf('run').optional(),
  /** The conversation it belongs to, whose reach it has. */
  threadId: idOf('thread').optional(),
  /** The tool that was called, and its version. */
  tool: z.object({ name: z.string(), version: z.number().int() }).optional(),
  /** Seen by who began it alone, as a private tool is. */
  isPrivate: z.boolean().optional(),
  /** The workspace it ran with, and at which version. */
  workspace: z.object({ id: idOf('workspace'), version: z.number().int() }).optional(),
  /** The sandbox it was a cell of. */
  sandboxId: idOf('sandbox').optional(),
  /** The block of a conversation whose code it ran, and which version of it. */
  artifactId: idOf('artifact').optional(),
  artifactVersion: z.number().int().optional(),
  /** A browser ran it and told what came of it: nothing here is checked. */
  reportedBy: z.literal('client').optional(),
  /** The code waits for a line of input. */
  inputRequest: inputRequest.optional(),
  signs: z.array(runSign),
  /** Requests the code made, with what was refused. */
  requests: z.array(
    z.object({
      at: z.string(),
      method: z.string(),
      url: z.string(),
      status: z.number().nullable(),
      durationMs: z.number(),
      bytes: z.number(),
      error: z.string().nullable(),
    }),
  ),
})
export type Run = z.infer<typeof run>

/** A run in a list: without what it printed. */
export const runSummary = run
  .pick({
    id: true,
    status: true,
    language: true,
    runtime: true,
    truncated: true,
    queuedMs: true,
    durationMs: true,
    peakMemoryMb: true,
    createdAt: true,
    createdBy: true,
  })
  .extend({ error: runError.pick({ kind: true, message: true }).nullable(), firstLine: z.string(), entry: z.string() })
export type RunSummary = z.infer<typeof runSummary>

export const filePath = text()
  .min(1)
  .max(1024)
  .refine(isPlainPath, 'must be a relative path with no "..", no empty part and no control characters')

/** A file of a program: its text, or for one that is not text its bytes. */
export const givenFile = z.union(
  [anyText(), z.strictObject({ base64: z.base64().max(10_000_000) })],
  'must be text, or { "base64": "…" } with at most 10,000,000 characters',
)
export type GivenFile = z.infer<typeof givenFile>

export const largestLimits = { timeoutMs: 300_000, memoryMb: 2048, outputBytes: 10_000_000 } as const

const argument = text().max(10_000)

export const variableName = text().regex(/^[A-Za-z_]\w{0,127}$/, 'not a variable name')

/** Environment variables. */
export const variables = namedRecord(variableName, text().max(65_536))

/** A session within a sandbox. */
export const contextName = text().regex(/^[\w.-]{1,60}$/, 'must be 1 to 60 letters, digits, _, . or -')

export const runRequest = z.strictObject({
  language,
  code: anyText().max(5_000_000),
  files: namedRecord(filePath, givenFile)
    .refine((files) => Object.keys(files).length <= 500, 'at most 500 files')
    .optional(),
  entry: filePath.optional(),
  input: jsonValue.optional(),
  stdin: anyText().max(5_000_000).optional(),
  /** What follows the program's name on its command line. */
  args: z.array(argument).max(100).optional(),
  env: variables.optional(),
  runtime: runtimeName.optional(),
  /** Runs with the files of this workspace; without `code`, the entry is one of them. What `keep` names comes back as one version. */
  workspaceId: idOf('workspace').optional(),
  /** Its files as they were at this version; as they are now unless said. */
  workspaceVersion: z.number().int().min(0).optional(),
  /** Runs it as a cell of this sandbox, where variables and files of the cells before it are. */
  sandboxId: idOf('sandbox').optional(),
  /** The cell of the sandbox's notebook that it is; a new one at its end unless named. */
  cellId: idOf('cell').optional(),
  /** Which of the sandbox's sessions; the language's own unless named. */
  context: contextName.optional(),
  /** Code that waits for a line asks for it in the stream and gets it by `POST /runs/{id}/stdin`; the default when streaming a cell. */
  interactive: z.boolean().optional(),
  /** Run again in a process sandbox when the isolate turns out to be too small; the code may then have run twice. */
  escalate: z.boolean().optional(),
  limits: z
    .strictObject({
      timeoutMs: z.number().int().min(10).max(largestLimits.timeoutMs).optional(),
      memoryMb: z.number().int().min(16).max(largestLimits.memoryMb).optional(),
      outputBytes: z.number().int().min(0).max(largestLimits.outputBytes).optional(),
    })
    .optional(),
  network: network.optional(),
  readOnly: z.boolean().optional(),
  packages: z.array(text().min(1).max(214)).max(50).optional(),
  typecheck: z.boolean().optional(),
  keep: z.array(text().min(1).max(1024)).max(100).optional(),
})
export type RunRequest = z.infer<typeof runRequest>

/** What was run, to look at it or run it again. Values of environment variables are not told. */
export const runProgram = z.object({
  code: z.string(),
  entry: z.string(),
  files: z.record(z.string(), givenFile),
  options: runRequest.omit({ code: true, files: true, env: true }),
})
export type RunProgram = z.infer<typeof runProgram>

/**
 * What a stream of a run says, in order: one start, outputs, one end. The number of an event is its SSE id. A request for
 * input has the number of the output before it, and is told again to whoever comes while it waits.
 */
export type RunEvent =
  | { type: 'run-start'; run: Run }
  | { type: 'run-output'; output: OutputLine }
  | { type: 'run-input-request'; request: InputRequest }
  | { type: 'run-end'; run: Run }

export const runtimeStatus = z.object({
  name: runtimeName,
  available: z.boolean(),
  reason: z.string().optional(),
  /** Since the server started. */
  metrics: z.object({
    runs: z.number(),
    failures: z.number(),
    poolHits: z.number(),
    startMs: z.object({ p50: z.number(), p95: z.number(), p99: z.number() }),
    durationMs: z.object({ p50: z.number(), p95: z.number(), p99: z.number() }),
    queuedMs: z.object({ p50: z.number(), p95: z.number(), p99: z.number() }),
  }),
})
export type RuntimeStatus = z.infer<typeof runtimeStatus>

/** Where the packages come from that Python has before anybody asks for one: the project's lock, Debian, or the interpreter that the operator chose. */
export const pythonStack = z.enum(['pypi', 'debian', 'own'])
export type PythonStack = z.infer<typeof pythonStack>

export const languageStatus = z.object({
  language,
  runtimes: z.array(runtimeName),
  available: z.boolean(),
  /** Why it does not run here. */
  reason: z.string().optional(),
  /** How to get it on this machine. */
  install: z.string().optional(),
  /** What runs it, such as "Python 3.11.2". */
  version: z.string().optional(),
  /** Of Python. */
  stack: pythonStack.optional(),
  /** What programs can import without asking for it, by name. */
  packages: z.array(z.object({ name: z.string(), version: z.string() })).optional(),
})
export type LanguageStatus = z.infer<typeof languageStatus>
