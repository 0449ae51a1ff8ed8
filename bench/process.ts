// Python and Bash through the process runtime, beside bare bwrap starting the same in the same minute.
// Run: node bench/process.ts [rounds]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createLauncher } from '../packages/server/src/runtimes/launch/index.ts'
import { createProcessRuntime } from '../packages/server/src/runtimes/process/index.ts'
import { runBareSandbox } from './bare-sandbox.ts'

export interface Row {
  what: string
  p50Ms: number
  p95Ms: number
}

const limits = {
  ...{ timeoutMs: 30_000, cpuMs: 30_000, memoryMb: 256, outputBytes: 1_000_000 },
  ...{ processes: 64, openFiles: 256, diskMb: 64, inodes: 10_000 },
}
/** Measures in turns, so that a busy moment of the machine hits all rows alike. */
export async function benchProcess(rounds = 60): Promise<Row[]> {
  const stateDir = mkdtempSync(join(tmpdir(), 'coherex-bench-'))
  const launcher = await createLauncher({ stateDir })
  const runtime = await createProcessRuntime({
    ...{ launcher, defaults: limits },
    zygotes: { ahead: { plain: 4, data: 2 } },
  })
  await runtime.warm()
  await runtime.zygotes?.warm(true)
  const run = async (language: 'python' | 'bash', code: string) => {
    const options = { limits, signal: new AbortController().signal, capabilities: {}, domain: 'bench' }
    const program = {
      language,
      code,
      entry: 'main',
      files: {},
      env: {},
      packages: [],
      typecheck: false,
      readOnly: false,
    }
    let text = ''
    const outcome = await runtime.run(program, {
      ...options,
      onStart() {},
      onOutput: (line) => void (line.stream === 'stdout' && (text += line.text)),
    })
    if (outcome.status !== 'succeeded' || text !== '1\n') throw new Error(`Wrong outcome: ${JSON.stringify(outcome)}`)
  }
  const subjects: [string, () => Promise<void>][] = [
    ['python print(1), fork', () => run('python', 'print(1)')],
    ['bwrap python3 -c "print(1)"', () => runBareSandbox(['/usr/bin/python3', '-c', 'print(1)'])],
    ['python with pandas imported, fork', () => run('python', 'import pandas\nprint(len(pandas.DataFrame([1])))')],
    ['bwrap python3 -c "import pandas"', () => runBareSandbox(['/usr/bin/python3', '-c', 'import pandas'])],
    ['bash echo 1, warm sandbox', () => run('bash', 'echo 1')],
    ['bwrap bash -c "echo 1"', () => runBareSandbox(['/usr/bin/bash', '-c', 'echo 1'])],
  ]
  const times = new Map<string, number[]>(subjects.map(([what]) => [what, []]))
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [what, act] of subjects) {
        const from = performance.now()
        await act()
        times.get(what)?.push(performance.now() - from)
        // the pool refills in the background; latency is measured on a machine that is not full
        await wait(50)
      }
    }
  } finally {
    await runtime.close()
    await launcher.close()
    rmSync(stateDir, { recursive: true, force: true })
  }
  return [...times].map(([what, each]) => {
    const sorted = each.sort((a, b) => a - b)
    const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
    return { what, p50Ms: at(0.5), p95Ms: at(0.95) }
  })
}

if (import.meta.main) console.table(await benchProcess(Number(process.argv[2] ?? 60)))
