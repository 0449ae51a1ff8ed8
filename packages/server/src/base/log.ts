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
  stack?: string
  code?: unknown
  cause?: DescribedError
}

/** An error for the log. Query parameters and connection strings, which drivers attach, are left out. */
function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const described: DescribedError = { type: error.name, message: withoutCredentials(error.message) }
  if (error.stack) described.stack = withoutCredentials(error.stack)
  if ('code' in error) described.code = error.code
  if (error.cause !== undefined) described.cause = describeError(error.cause)
  return described
}

function withoutCredentials(text: string): string {
  return text.replace(/\b(\w+:\/\/)[^\s/@]+@/g, '$1…@')
}
