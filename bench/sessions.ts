// New Python sessions of a sandbox: their first cell, and the import of pandas, beside kernels of Jupyter Server in the same minutes.
// Run: node bench/sessions.ts
import { setTimeout as wait } from 'node:timers/promises'
import type { BenchServer } from './bench-server.ts'
import { startJupyter } from './jupyter.ts'
import { median, type Row } from './measure.ts'

const rounds = 15
const first = 'x = 1\nx'
const importing = 'import pandas as pd\npd.DataFrame({"a": [1, 2]}).a.sum()'

/** As a client sees it: each cell is a run with its record. */
export async function benchSessions(server: BenchServer): Promise<Row[]> {
  const jupyter = await startJupyter()
  const times = {
    first: [] as number[],
    pandas: [] as number[],
    theirFirst: [] as number[],
    theirPandas: [] as number[],
  }
  try {
    const { id } = await server.call<{ id: string }>(server.key, 'POST', '/api/v1/sandboxes', {})
    for (let round = 0; round < rounds; round++) {
      const context = `session-${round}`
      const cell = (code: string) =>
        timed(() => server.run(server.key, { language: 'python', sandboxId: id, context, code }))
      times.first.push(await cell(first))
      times.pandas.push(await cell(importing))
      const started = await jupyter?.startKernel(first)
      if (started) {
        times.theirFirst.push(started.ms)
        times.theirPandas.push(await started.kernel.run(importing))
        await started.kernel.end()
      }
      await wait(100)
    }
    await server.call(server.key, 'DELETE', `/api/v1/sandboxes/${id}`)
  } finally {
    await jupyter?.stop()
  }
  const row = (what: string, own: number[], theirs: number[]): Row => {
    const [value, bare] = [median(own), theirs.length > 0 ? median(theirs) : undefined]
    return {
      ...{ what, value, unit: 'ms', goal: '≤ 30', reached: value <= 30 },
      ...(bare !== undefined && { bare, ratio: value / bare }),
    }
  }
  return [
    row('first cell of a new Python session over HTTP, p50 (bare: Jupyter)', times.first, times.theirFirst),
    row('import pandas in a new session over HTTP, p50 (bare: Jupyter)', times.pandas, times.theirPandas),
  ]
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await act()
  return performance.now() - from
}

if (import.meta.main) {
  const { makeDataDirectory, startBenchServer } = await import('./bench-server.ts')
  const directory = await makeDataDirectory()
  const server = await startBenchServer(directory.path)
  try {
    // until a session is loaded
    await wait(20_000)
    console.table(await benchSessions(server))
  } finally {
    await server.stop()
    await directory.remove()
  }
}
