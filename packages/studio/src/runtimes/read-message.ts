import type { Answer, Outcome, ShownLine } from './runtime-messages.ts'

// what comes from a worker may be what the code of a block made of it: only what is known here goes on

const streams = ['stdout', 'stderr', 'log', 'info', 'warn', 'error', 'debug'] as const

export function readLine(line: ShownLine): ShownLine[] {
  const at = Math.max(0, Number(line.at) || 0)
  if (line.stream === 'display') {
    const data = readJson(line.data) as Record<string, never> | undefined
    return data ? [{ at, stream: 'display', data }] : []
  }
  const stream = streams.find((one) => one === line.stream)
  return stream ? [{ at, stream, text: String(line.text) }] : []
}

const kinds = ['syntax', 'memory'] as const

export function readOutcome({ status, result, resultText, error, needsServer, peakMemoryMb }: Outcome): Outcome {
  const message = error && String(error.message).slice(0, 10_000)
  return {
    status: status === 'succeeded' ? 'succeeded' : 'failed',
    ...(result !== undefined && { result }),
    ...(resultText !== undefined && { resultText: String(resultText).slice(0, 10_000) }),
    ...(error && {
      error: {
        kind: kinds.find((one) => one === error.kind) ?? ('runtime' as const),
        message: message ?? '',
        ...(Number.isInteger(error.line) && { line: Math.max(0, error.line ?? 0) }),
        ...(error.stack !== undefined && { stack: String(error.stack).slice(0, 20_000) }),
      },
    }),
    ...(Number.isFinite(peakMemoryMb) && { peakMemoryMb: Math.min(Math.max(0, peakMemoryMb ?? 0), 65_536) }),
    ...(needsServer !== undefined && { needsServer: String(needsServer).slice(0, 500) }),
  }
}

const mostVariables = 1_000

export function readAnswer(answer: Answer): Answer {
  if ('variables' in answer) {
    return { variables: answer.variables.slice(0, mostVariables).map((one) => ({ ...one, ...readSummary(one) })) }
  }
  const { variable } = answer
  return { variable: variable && { ...variable, ...readSummary(variable) } }
}

function readSummary({ name, type, value }: { name: string; type: string; value: string }) {
  return { name: String(name).slice(0, 200), type: String(type).slice(0, 200), value: String(value).slice(0, 1_000) }
}

/** An object as JSON carries it; undefined where it is none. */
function readJson(value: unknown): unknown {
  try {
    const text = JSON.stringify(value)
    return text.startsWith('{') && text.length < 500_000 ? JSON.parse(text) : undefined
  } catch {
    // a circle: nothing that a runtime says has one
    return undefined
  }
}
