// The tests every runtime passes. A runtime's own test file calls runtimeContract() with samples in its language.
import type { Language, OutputLine } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchStretch } from '../../tests/harness/load/machine-stretch.ts'
import { type Capabilities, CapabilityError } from '../capabilities/index.ts'
import type { Limits, Outcome, Program, Runtime, RunOptions } from './runtime.ts'

/** One program per thing to prove, in the runtime's language. Each does what its name says and nothing else. */
export interface Samples {
  language: Language
  entry: string
  /** Result: { text: 'zß水🍌', list: [1, 2.5, null, true], nested: { a: {} } } */
  result: string
  /** No result. */
  nothing: string
  /** Result: the input. */
  input: string
  /** Result: the variable GREETING. */
  variable: string
  /** Result: all of stdin. Left out where the language has none. */
  stdin?: string
  /** Prints "one", "two" as an error, "three", "zß水🍌", one per line or call. */
  prints: string
  /** Prints 'ready', then never ends. */
  printsThenWaits: string
  /** Result: a string of a million "x". */
  large: string
  /** Throws with "out of cheese" in the message, in line 3. Left out where failures have no lines. */
  fails?: string
  /** Cannot be parsed; the mistake is in line 2. */
  malformed: string
  /** Burns CPU for ever. */
  burns: string
  /** Takes memory for ever. */
  hoards: string
  /** Prints about five million bytes, then has the result "done". */
  floods: string
  /** Reads data/in.txt, and writes its text in upper case to out/new.txt. */
  files: string
  /**
   * Result: [ECHO.ping(), ECHO.echo({ a: [1, 'zß'] }), the code of what ECHO.refuse() throws, the same of ECHO.breaks()]
   * Left out, as the next two, where programs hold no capability.
   */
  calls?: string
  /** Result: the sum of ECHO.echo(1) … ECHO.echo(20), called at once where the language can. */
  manyCalls?: string
  /**
   * Result: the codes with which ECHO.echo() refuses a list of 1,100,000 parts, an object of 110,000 keys, 450,000 numbers of 18 digits and 199
   * lists within each other; then what it answers to 'after'.
   */
  largeCalls?: string
  /** Writes "hello" with FILES.write('a.txt'), result: FILES.read('a.txt'). */
  filesCapability?: string
  /** Sets something global, and has as result whether it was there before. */
  leavesTraces: string
  /** Result: [the time in milliseconds, a random number]. Left out where the world cannot be fixed. */
  world?: string
}

export interface Subject {
  runtime: Runtime
  /** Closes the runtime and what it was made with. */
  close(): Promise<void>
  /** What is left of it on the machine: processes, directories, control groups. */
  leftovers(): string[]
}

const contractLimits: Limits = {
  // only ends what hangs: a busy machine takes long for anything
  timeoutMs: 50_000,
  cpuMs: 10_000,
  memoryMb: 128,
  outputBytes: 1_000_000,
  processes: 32,
  openFiles: 64,
  diskMb: 16,
  inodes: 500,
}

export interface Ran extends Outcome {
  output: OutputLine[]
  starts: number
  /** All text output in order, console calls as lines. */
  text: string
}

type Changes = Partial<Omit<Program, 'language'>> & { limits?: Partial<Limits> } & Partial<
    Pick<RunOptions, 'signal' | 'capabilities' | 'domain' | 'onOutput'>
  >

/** Runs one program with the contract's defaults, collecting its output. */
export async function runProgram(
  runtime: Runtime,
  program: Pick<Program, 'language' | 'code' | 'entry'>,
  changes: Changes = {},
): Promise<Ran> {
  const { limits, signal, capabilities, domain, onOutput, ...rest } = changes
  const output: OutputLine[] = []
  let starts = 0
  const outcome = await runtime.run(
    { files: {}, env: {}, packages: [], typecheck: false, readOnly: false, ...program, ...rest },
    {
      limits: { ...contractLimits, ...limits },
      signal: signal ?? new AbortController().signal,
      capabilities: capabilities ?? {},
      domain: domain ?? 'contract',
      onOutput(line) {
        output.push(line)
        onOutput?.(line)
      },
      onStart: () => void starts++,
    },
  )
  return { ...outcome, output, starts, text: textOf(output) }
}

function textOf(output: OutputLine[]): string {
  return output
    .map((line) =>
      line.stream === 'display'
        ? ''
        : line.stream === 'stdout' || line.stream === 'stderr'
          ? line.text
          : `${line.text}\n`,
    )
    .join('')
}

export function runtimeContract(name: string, samples: Samples, open: () => Promise<Subject>): void {
  describe(`${name}: the contract of runtimes`, () => {
    let subject: Subject
    const { language, entry, fails, calls, manyCalls, largeCalls, filesCapability } = samples
    const run = (code: string, changes: Changes = {}) => runProgram(subject.runtime, { language, code, entry }, changes)
    const expectAlive = async () => expect((await run(samples.input, { input: 'alive' })).result).toBe('alive')

    beforeAll(async () => {
      subject = await open()
      await subject.runtime.warm()
    })
    afterAll(async () => subject.close())

    test('[runtime.1] a result comes back as data', async () => {
      const { status, result, error } = await run(samples.result)
      expect({ status, result, error }).toEqual({
        status: 'succeeded',
        result: { text: 'zß水🍌', list: [1, 2.5, null, true], nested: { a: {} } },
        error: undefined,
      })
    })

    test('[runtime.1] a program without a result has none', async () => {
      const outcome = await run(samples.nothing)
      expect(outcome.status).toBe('succeeded')
      expect(outcome.result ?? null).toBeNull()
    })

    test('[runtime.2] output keeps its order, its streams and every character', async () => {
      const { output, text } = await run(samples.prints)
      expect(text.trimEnd().split('\n')).toEqual(['one', 'two', 'three', 'zß水🍌'])
      const two = output.find((line) => line.stream !== 'display' && line.text.startsWith('two'))
      expect(['stderr', 'error']).toContain(two?.stream)
    })

    test('[runtime.2] [runtime.9] output arrives while the program runs, and a cancel ends it', async () => {
      const controller = new AbortController()
      const stretch = watchStretch()
      let stoppedAt = 0
      const outcome = await run(samples.printsThenWaits, {
        signal: controller.signal,
        onOutput() {
          stoppedAt = performance.now()
          controller.abort()
        },
      })
      expect(performance.now() - stoppedAt).toBeLessThan(5_000 * stretch.stop())
      expect(outcome.text.trim()).toBe('ready')
      expect(outcome.status).toBe('cancelled')
      expect(outcome.error?.kind).toBe('cancelled')
      await expectAlive()
    })

    test('[runtime.9] a run that was cancelled before it began does not begin', async () => {
      const outcome = await run(samples.prints, { signal: AbortSignal.abort() })
      expect({ status: outcome.status, kind: outcome.error?.kind, output: outcome.output }).toEqual({
        status: 'cancelled',
        kind: 'cancelled',
        output: [],
      })
    })

    test('[runtime.3] input and variables reach the program unchanged', async () => {
      const input = { text: 'zß水🍌\n"', numbers: [0, -1, 1.5e300], nothing: null, deep: { er: [{}] } }
      expect((await run(samples.input, { input })).result).toEqual(input)
      expect((await run(samples.variable, { env: { GREETING: 'hello = "wörld"' } })).result).toBe('hello = "wörld"')
    })

    test.skipIf(samples.stdin === undefined)('[runtime.3] stdin reaches the program unchanged', async () => {
      expect((await run(samples.stdin ?? '', { stdin: 'first\nzweite水\n' })).result).toBe('first\nzweite水\n')
    })

    test('[runtime.4] a megabyte passes in both directions', async () => {
      const { result, error } = await run(samples.large)
      expect(result === 'x'.repeat(1_000_000), JSON.stringify(error)).toBe(true)
      const input = 'y'.repeat(1_000_000)
      expect((await run(samples.input, { input })).result).toBe(input)
    })

    if (fails !== undefined) {
      test('[runtime.5] an error names its line in the author’s text and nothing of the host', async () => {
        const { status, error } = await run(fails)
        expect({ status, kind: error?.kind, line: error?.line }).toEqual({ status: 'failed', kind: 'runtime', line: 3 })
        expect(error?.message).toContain('out of cheese')
        expect(JSON.stringify(error)).not.toMatch(/node_modules|\/app\/|\/work\/|isolated-vm|coherex:/)
      })
    }

    test('[runtime.5] code that cannot be parsed is a syntax error with its place', async () => {
      const { status, error } = await run(samples.malformed)
      expect({ status, kind: error?.kind, line: error?.line }).toEqual({ status: 'failed', kind: 'syntax', line: 2 })
      expect(error?.column ?? 1).toBeGreaterThan(0)
    })

    test('[runtime.6] [runtime.13] a program past its time is ended, and the next one runs', async () => {
      const began = performance.now()
      const stretch = watchStretch()
      const { error } = await run(samples.burns, { limits: { timeoutMs: 700 } })
      expect(error?.kind).toBe('timeout')
      expect(performance.now() - began).toBeLessThan(700 + 5000 * stretch.stop())
      await expectAlive()
    })

    test('[runtime.6] a program past its CPU time is ended long before its wall time', async () => {
      const began = performance.now()
      const { error } = await run(samples.burns, { limits: { cpuMs: 500, timeoutMs: 55_000 } })
      expect(error?.kind).toBe('timeout')
      expect(performance.now() - began).toBeLessThan(45_000)
    })

    test('[runtime.7] [runtime.13] a program past its memory is ended, and the next one runs', async () => {
      const { error } = await run(samples.hoards, { limits: { memoryMb: 64 } })
      expect(error?.kind).toBe('memory')
      await expectAlive()
    })

    test('[runtime.8] output past its limit is cut with a marker, and the program goes on', async () => {
      const { output, truncated, result } = await run(samples.floods, { limits: { outputBytes: 50_000 } })
      expect({ truncated, result }).toEqual({ truncated: true, result: 'done' })
      expect(output.at(-1)).toMatchObject({ text: expect.stringContaining('[output cut at 50000 bytes]') })
      expect(Buffer.byteLength(textOf(output))).toBeLessThan(50_000 + 5000)
    })

    test('[runtime.10] files given can be read, files written come back, and no others', async () => {
      const { files, error } = await run(samples.files, {
        files: { 'data/in.txt': 'in ÄÖ水', 'data/other.bin': new Uint8Array([0, 255]) },
      })
      expect(error).toBeUndefined()
      expect(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([
        ['out/new.txt', 'IN ÄÖ水'],
      ])
    })

    if (calls !== undefined) {
      test('[runtime.11] a program calls what it was granted, and refusals have their code', async () => {
        const { result, error } = await run(calls, { capabilities: { ECHO: echo() } })
        expect(error).toBeUndefined()
        expect(result).toEqual(['pong', { a: [1, 'zß'] }, 'URL_NOT_ALLOWED', 'INTERNAL'])
      })
    }

    if (manyCalls !== undefined) {
      test('[runtime.11] many calls are answered, each with its own answer', async () => {
        expect((await run(manyCalls, { capabilities: { ECHO: echo() } })).result).toBe(210)
      })
    }

    if (largeCalls !== undefined) {
      test('[runtime.11] a call of more than the host reads is an error that the program can catch', async () => {
        const limits = { memoryMb: 256 }
        const { result, error, signs } = await run(largeCalls, { capabilities: { ECHO: echo() }, limits })
        expect({ error, signs }).toEqual({ error: undefined, signs: [] })
        expect(result).toEqual([...Array<string>(4).fill('LIMIT_EXCEEDED'), 'after'])
      })
    }

    if (filesCapability !== undefined) {
      test('[runtime.11] FILES is called like any other capability', async () => {
        const held = new Map<string, unknown>()
        const capabilities: Capabilities = {
          FILES: {
            methods: {
              write: async ([path, data]) => void held.set(String(path), data),
              read: async ([path]) => held.get(String(path)),
            },
          },
        }
        expect((await run(filesCapability, { capabilities })).result).toBe('hello')
        expect([...held]).toEqual([['a.txt', 'hello']])
      })
    }

    if (calls !== undefined) {
      test('[runtime.11] what was not granted cannot be called', async () => {
        const { status, result } = await run(calls)
        expect(status === 'failed' || !JSON.stringify(result).includes('pong')).toBe(true)
      })
    }

    test('[runtime.12] runs at the same time keep apart', async () => {
      const runs = Array.from({ length: 12 }, (_, at) =>
        run(samples.input, { input: { at, domain: at % 3 }, domain: `domain-${at % 3}` }),
      )
      expect((await Promise.all(runs)).map(({ result }) => result)).toEqual(
        Array.from({ length: 12 }, (_, at) => ({ at, domain: at % 3 })),
      )
    })

    test('[runtime.12] nothing of one run is there for the next', async () => {
      expect((await run(samples.leavesTraces)).result).toBe(false)
      expect((await run(samples.leavesTraces)).result).toBe(false)
    })

    test('[runtime.15] a fixed world is the same in every run, or refused', async () => {
      const fixed = { now: Date.UTC(2020, 1, 29), seed: 'a seed' }
      if (samples.world === undefined) {
        const program = { language, entry, code: samples.input, files: {}, env: {}, packages: [] }
        expect(subject.runtime.refuses({ ...program, typecheck: false, readOnly: false, fixed })).toMatch(/clock/)
        return
      }
      const world = samples.world
      const results = async (changes: Changes) => (await run(world, changes)).result as [number, number]
      const first = await results({ fixed })
      expect(first[0]).toBe(fixed.now)
      expect(await results({ fixed })).toEqual(first)
      expect((await results({ fixed: { ...fixed, seed: 'another seed' } }))[1]).not.toBe(first[1])
      const real = await results({})
      expect(real[0]).toBeGreaterThan(fixed.now)
      expect(real[1]).not.toBe(first[1])
    })

    test('[runtime.14] the start is told once', async () => {
      expect((await run(samples.prints)).starts).toBe(1)
    })

    test('[runtime.13] close() leaves nothing behind, not even of a run that hangs', async () => {
      const own = await open()
      await own.runtime.warm()
      let began: () => void = () => {}
      const printed = new Promise<void>((resolve) => (began = resolve))
      const hanging = runProgram(
        own.runtime,
        { language, code: samples.printsThenWaits, entry },
        { onOutput: () => began() },
      )
      hanging.catch(() => undefined)
      await printed
      await own.close()
      const outcome = await hanging
      expect(outcome.status).not.toBe('succeeded')
      expect(own.leftovers()).toEqual([])
    })
  })
}

function echo(): Capabilities[string] {
  return {
    methods: {
      ping: async () => 'pong',
      echo: async ([value]) => value,
      refuse: async () => {
        throw new CapabilityError('URL_NOT_ALLOWED', 'not on the list')
      },
      breaks: async () => {
        throw new Error('a secret of the host: /etc/shadow')
      },
    },
  }
}
