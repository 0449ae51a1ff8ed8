import type { Run, RunRequest } from '@coherex/contract'

/** A run whose right ending is known before it starts. */
export interface KnownRun {
  kind: string
  request: RunRequest
  /** Why the ending is wrong; undefined when it is right. */
  fault(run: Run): string | undefined
}

type Maker = (token: string) => Omit<KnownRun, 'kind'>

const makers: Record<string, { weight: number; make: Maker }> = {
  'js result': {
    weight: 30,
    make: (token) => ({
      request: { language: 'javascript', code: 'export default (env, value) => ({ value })', input: token },
      fault: expecting('succeeded', { result: { value: token } }),
    }),
  },
  'js output': {
    weight: 15,
    make: (token) => ({
      request: {
        language: 'javascript',
        code: `for (let n = 0; n < 20; n++) console.log(n, ${JSON.stringify(token)})`,
      },
      fault: (run) =>
        expecting('succeeded', {})(run) ??
        outputFault(
          run,
          Array.from({ length: 20 }, (_, n) => `${n} ${token}`),
        ),
    }),
  },
  'ts error': {
    weight: 10,
    make: (token) => ({
      request: {
        language: 'typescript',
        code: `const message: string = ${JSON.stringify(token)}\nthrow new Error(message)`,
      },
      fault: (run) =>
        expecting('failed', { kind: 'runtime' })(run) ??
        (run.error?.message.includes(token) ? undefined : `foreign error ${run.error?.message}`),
    }),
  },
  'js syntax error': {
    weight: 5,
    make: () => ({
      request: { language: 'javascript', code: 'const = 1' },
      fault: expecting('failed', { kind: 'syntax' }),
    }),
  },
  'js time-out': {
    weight: 2,
    make: () => ({
      request: { language: 'javascript', code: 'for (;;);', limits: { timeoutMs: 200 } },
      fault: expecting('failed', { kind: 'timeout' }),
    }),
  },
  'python result': {
    weight: 18,
    make: (token) => ({
      request: { language: 'python', code: 'import sys\nprint(sys.stdin.read())\nlen("four")', stdin: token },
      fault: (run) => expecting('succeeded', { result: 4 })(run) ?? outputFault(run, [token]),
    }),
  },
  'python error': {
    weight: 6,
    make: (token) => ({
      request: { language: 'python', code: `raise ValueError(${JSON.stringify(token)})` },
      fault: (run) =>
        expecting('failed', { kind: 'runtime' })(run) ??
        (run.error?.message.includes(token) ? undefined : `foreign error ${run.error?.message}`),
    }),
  },
  'python time-out': {
    weight: 1,
    make: () => ({
      request: { language: 'python', code: 'while True: pass', limits: { timeoutMs: 300 } },
      fault: expecting('failed', { kind: 'timeout' }),
    }),
  },
  'python memory': {
    weight: 1,
    make: () => ({
      request: { language: 'python', code: 'x = bytearray(10**9)', limits: { memoryMb: 64 } },
      fault: expecting('failed', { kind: 'memory' }),
    }),
  },
  'bash files': {
    weight: 12,
    make: (token) => ({
      request: {
        language: 'bash',
        code: 'cat given.txt; echo; cat given.txt > made.txt',
        files: { 'given.txt': token },
      },
      fault: (run) =>
        expecting('succeeded', {})(run) ??
        outputFault(run, [token]) ??
        (run.files.some((file) => file.path === 'made.txt' && file.size === token.length)
          ? undefined
          : 'file is missing'),
    }),
  },
}

/** An endless mixture of runs, each with a token that must come back to it and to nobody else. */
export function* mixRuns(seed: number): Generator<KnownRun> {
  const drawn = Object.entries(makers).flatMap(([kind, { weight, make }]) =>
    Array.from({ length: weight }, () => ({ kind, make })),
  )
  let state = seed
  for (let number = 0; ; number++) {
    // a small generator of our own, so that a seed gives the same mixture everywhere
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    const { kind, make } = drawn[(state >>> 8) % drawn.length] as (typeof drawn)[number]
    yield { kind, ...make(`token-${seed}-${number}-${state.toString(36)}`) }
  }
}

function expecting(status: Run['status'], { result, kind }: { result?: unknown; kind?: string }) {
  return (run: Run): string | undefined => {
    if (run.status !== status || (kind && run.error?.kind !== kind)) {
      return `ended ${run.status} ${run.error?.kind ?? ''} ${run.error?.message ?? ''}, not ${status} ${kind ?? ''}`
    }
    if (result !== undefined && JSON.stringify(run.result) !== JSON.stringify(result))
      return `result ${JSON.stringify(run.result)}`
    return undefined
  }
}

function outputFault(run: Run, lines: string[]): string | undefined {
  const printed = run.output.map((one) => ('text' in one ? one.text.replace(/\n*$/, '\n') : '')).join('')
  const expected = lines.map((line) => `${line}\n`).join('')
  return printed.trim() === expected.trim() ? undefined : `output ${JSON.stringify(printed.slice(0, 200))}`
}
