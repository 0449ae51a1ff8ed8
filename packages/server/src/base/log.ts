import { destination, pino, type Logger } from 'pino'

export type Log = Logger

/** Structured lines on stderr, so that stdout keeps the one line people look for. Secrets are cut out by name. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: ['*.password', '*.token', '*.key', '*.secret', '*.authorization', '*.cookie', '*.connectionString'],
        censor: '…',
      },
      serializers: { error: describeError },
    },
    destination({ dest: 2, sync: true }),
  )
}

interface DescribedError {
  type: string
  message: string
  /** Where in our own source, from the innermost. */
  frames?: string[]
  code?: unknown
  cause?: DescribedError
}

/** An error for the log. What drivers attach is left out: statements, their values, connection strings, paths of the host. */
export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutHost(wordsOf(error)) }
  // drizzle puts the statement and every value into the message; its cause says what the database made of them
  const message = 'query' in error && 'params' in error ? 'a statement failed' : withoutHost(error.message)
  const described: DescribedError = { type: error.name, message }
  if (error.stack) described.frames = framesOf(error.stack)
  if ('code' in error) described.code = error.code
  if (error.cause !== undefined) described.cause = describeError(error.cause)
  return described
}

/** Some libraries tell of failures by plain objects. */
function wordsOf(thrown: unknown): string {
  const isObject = typeof thrown === 'object' && thrown !== null && 'message' in thrown
  return String(isObject ? thrown.message : thrown)
}

function withoutHost(text: string): string {
  return text
    .replace(/\b(\w+:\/\/)[^\s/@]+@/g, '$1…@')
    .replace(/(^|[\s'"(=])(?:file:\/\/)?\/(?:[^\s'"():]+\/)*([^\s'"():/]*)/g, '$1…/$2')
}

/** `startRun packages/server/src/runs/start-run.ts:12:3`, or a place in Node: enough to find it, nothing of where it is installed. */
function framesOf(stack: string): string[] {
  const frames = stack.matchAll(/^ +at (?:(.*?) \()?.*?\b(packages\/[\w./-]+:\d+:\d+|node:[\w./-]+:\d+:\d+)\)?$/gm)
  return Array.from(frames, ([, name, place]) => (name ? `${name} ${place}` : String(place))).slice(0, 10)
}
