// JavaScript runs beside the bare mechanism, measured in the same script: `node bench/isolate.ts [--json]`.
import { rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { IsolateRuntime } from '../packages/server/src/runtimes/isolate/isolate-runtime.ts'
import { TypeChecker } from '../packages/server/src/runtimes/isolate/typecheck/check-types.ts'
import { createLauncher } from '../packages/server/src/runtimes/launch/index.ts'
import { BundleStore } from '../packages/server/src/runtimes/packages/bundle-store.ts'
import type { Program, RunOptions } from '../packages/server/src/runtimes/runtime.ts'
import { benchCode, runBareIsolate, sustainBareIsolates } from './bare-isolate.ts'
import { median, sample, sustain } from './measure.ts'

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

export interface IsolateFigures {
  bareMs: number
  warmMs: number
  newCodeMs: number
  bareRunsPerSecond: number
  oneDomainRunsPerSecond: number
  eightDomainsRunsPerSecond: number
  manyDomainsRunsPerSecond: number
}

export async function measureIsolate(ms = 4000): Promise<IsolateFigures> {
  const directory = join(tmpdir(), `coherex-bench-isolate-${process.pid}`)
  const cacheDir = join(directory, 'cache')
  const launcher = await createLauncher({ stateDir: join(directory, 'state') })
  const runtime = new IsolateRuntime({
    launcher,
    cacheDir,
    bundles: new BundleStore(cacheDir),
    types: new TypeChecker({ launcher, cacheDir }),
  })
  const run = async (domain: string, at: number) => {
    const program: Program = {
      language: 'javascript',
      code: benchCode(at),
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
    await sample(20, runBareIsolate)
    // alternating, so that what else the machine does weighs on both
    const pairs: { bare: number; warm: number; fresh: number }[] = []
    for (let round = 0; round < 5; round++) {
      pairs.push({
        bare: await sample(40, runBareIsolate),
        warm: await sample(40, () => run('a', 1)),
        fresh: await sample(40, (at) => run('a', round * 1000 + at)),
      })
    }
    // each domain gets its children before the clock starts: what is measured is the steady state
    const warmUp = (clients: number, domainOf: (client: number, at: number) => string) =>
      sustain(clients, ms / 2, (client, at) => run(domainOf(client, at), at % 50))
    const bareRunsPerSecond = await sustainBareIsolates(processes, ms)
    await warmUp(processes * 4, () => 'a')
    const oneDomainRunsPerSecond = await sustain(processes * 4, ms, (_, at) => run('a', at % 50))
    await warmUp(16, (client) => `eight-${client % 8}`)
    const eightDomainsRunsPerSecond = await sustain(16, ms, (client, at) => run(`eight-${client % 8}`, at % 50))
    for (let domain = 0; domain < 64; domain++) await run(`many-${domain}`, domain)
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

if (import.meta.main) {
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
