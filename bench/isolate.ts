// JavaScript runs beside the bare mechanism, measured in the same script: `node bench/isolate.ts [--json]`.
import { fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import ivm from 'isolated-vm'
import { IsolateRuntime } from '../packages/server/src/runtimes/isolate/isolate-runtime.ts'
import { createLauncher } from '../packages/server/src/runtimes/launch/index.ts'
import type { Program, RunOptions } from '../packages/server/src/runtimes/runtime.ts'

const limits = {
  timeoutMs: 30_000,
  cpuMs: 10_000,
  memoryMb: 128,
  outputBytes: 1_000_000,
  processes: 64,
  openFiles: 256,
  diskMb: 64,
  inodes: 10_000,
}
const code = (at: number) =>
  `const items = Array.from({ length: 100 }, (_, i) => i * ${at})\nexport default (env, input) => ({ sum: items.reduce((a, b) => a + b, 0), input })`

export interface IsolateFigures {
  bareMs: number
  warmMs: number
  newCodeMs: number
  bareRunsPerSecond: number
  oneDomainRunsPerSecond: number
  eightDomainsRunsPerSecond: number
  manyDomainsRunsPerSecond: number
}

/** One run the way isolated-vm's own documentation does it, with nothing kept between runs. */
async function runBare(at: number): Promise<unknown> {
  const isolate = new ivm.Isolate({ memoryLimit: 128 })
  const context = await isolate.createContext()
  const module = await isolate.compileModule(code(at), { filename: 'main.js' })
  await module.instantiate(context, () => {
    throw new Error('no imports')
  })
  await module.evaluate()
  const program = await module.namespace.get('default', { reference: true })
  const result = await program.apply(undefined, [{}, { n: at }], {
    arguments: { copy: true },
    result: { promise: true, copy: true },
  })
  isolate.dispose()
  return result
}

async function sample(count: number, run: (at: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < count; at++) {
    const began = performance.now()
    await run(at)
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  return times[Math.floor(count / 2)] ?? 0
}

/** Runs per second of so many clients that each wait for their run before they start the next. */
async function sustain(
  clients: number,
  ms: number,
  run: (client: number, at: number) => Promise<unknown>,
): Promise<number> {
  let done = 0
  const began = performance.now()
  const deadline = began + ms
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() < deadline) {
        await run(client, done)
        done++
      }
    }),
  )
  return (done / (performance.now() - began)) * 1000
}

async function sustainBare(processes: number, ms: number): Promise<number> {
  const rates = await Promise.all(
    Array.from(
      { length: processes },
      () =>
        new Promise<number>((resolve, reject) => {
          const child = fork(import.meta.filename, ['--bare', String(ms)], { execArgv: ['--no-node-snapshot'] })
          child.once('message', (rate) => resolve(Number(rate)))
          child.once('error', reject)
        }),
    ),
  )
  return rates.reduce((sum, rate) => sum + rate, 0)
}

export async function measureIsolate(ms = 4000): Promise<IsolateFigures> {
  const directory = join(tmpdir(), `coherex-bench-isolate-${process.pid}`)
  const launcher = await createLauncher({ stateDir: join(directory, 'state') })
  const runtime = new IsolateRuntime({ launcher, cacheDir: join(directory, 'cache') })
  const run = async (domain: string, at: number) => {
    const program: Program = {
      language: 'javascript',
      code: code(at),
      entry: 'main.js',
      files: {},
      input: { n: at },
      env: {},
      packages: [],
      typecheck: false,
      readOnly: false,
    }
    const options: RunOptions = {
      limits,
      signal: new AbortController().signal,
      capabilities: {},
      domain,
      onOutput() {},
      onStart() {},
    }
    const outcome = await runtime.run(program, options)
    if (outcome.status !== 'succeeded') throw new Error(JSON.stringify(outcome.error))
    return outcome.result
  }
  try {
    await runtime.warm()
    const processes = availableParallelism()
    await sample(20, (at) => run('a', at))
    await sample(20, runBare)
    // alternating, so that what else the machine does weighs on both
    const pairs: { bare: number; warm: number; fresh: number }[] = []
    for (let round = 0; round < 5; round++) {
      pairs.push({
        bare: await sample(40, runBare),
        warm: await sample(40, () => run('a', 1)),
        fresh: await sample(40, (at) => run('a', round * 1000 + at)),
      })
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
    // each domain gets its children before the clock starts: what is measured is the steady state
    const warmUp = (clients: number, domainOf: (client: number, at: number) => string) =>
      sustain(clients, ms / 2, (client, at) => run(domainOf(client, at), at % 50))
    const bareRunsPerSecond = await sustainBare(processes, ms)
    await warmUp(processes * 4, () => 'a')
    const oneDomainRunsPerSecond = await sustain(processes * 4, ms, (_, at) => run('a', at % 50))
    // as many children as domains, then more domains than children: there each switch replaces a child
    await warmUp(16, (client) => `eight-${client % 8}`)
    const eightDomainsRunsPerSecond = await sustain(16, ms, (client, at) => run(`eight-${client % 8}`, at % 50))
    const manyDomainsRunsPerSecond = await sustain(16, ms, (_, at) => run(`many-${at % 64}`, at % 50))
    return {
      bareMs: median(pairs.map(({ bare }) => bare)),
      warmMs: median(pairs.map(({ warm }) => warm)),
      newCodeMs: median(pairs.map(({ fresh }) => fresh)),
      bareRunsPerSecond,
      oneDomainRunsPerSecond,
      eightDomainsRunsPerSecond,
      manyDomainsRunsPerSecond,
    }
  } finally {
    await runtime.close()
    await launcher.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

if (process.argv[2] === '--bare') {
  const rate = await sustain(1, Number(process.argv[3]), (_, at) => runBare(at % 50))
  process.send?.(rate)
} else if (import.meta.main) {
  const figures = await measureIsolate()
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures))
  else {
    const { bareMs, bareRunsPerSecond } = figures
    const row = (what: string, value: number, unit: string, bare: number) => ({
      what,
      value: `${value.toFixed(2)} ${unit}`,
      'beside bare': `${(value / bare).toFixed(2)} ×`,
    })
    console.table([
      row('bare fresh isolate, p50', bareMs, 'ms', bareMs),
      row('same code again, p50', figures.warmMs, 'ms', bareMs),
      row('new code, p50', figures.newCodeMs, 'ms', bareMs),
      row('bare isolates, a process per core', bareRunsPerSecond, 'runs/s', bareRunsPerSecond),
      row('one domain', figures.oneDomainRunsPerSecond, 'runs/s', bareRunsPerSecond),
      row('eight domains', figures.eightDomainsRunsPerSecond, 'runs/s', bareRunsPerSecond),
      row('64 domains in turn', figures.manyDomainsRunsPerSecond, 'runs/s', bareRunsPerSecond),
    ])
  }
}
