// Many mixed runs from many clients on a real server, each of whose endings is known before: npm run bench:load [-- --runs 10000]
import { createClient, routes, type Client } from '../packages/contract/src/index.ts'
import { loadWithRuns, type LoadReport } from '../packages/server/tests/harness/load/load.ts'
import { makeDataDirectory, startBenchServer, type BenchServer } from './bench-server.ts'

const clients = 32
const mostWrong = 4

interface Summary extends LoadReport {
  perSecond: number
  /** Runs that were answered and are not in the store, or are there and have not ended. */
  lost: number
  passed: boolean
}

async function measure(server: BenchServer, { runs, seed }: { runs: number; seed: number }): Promise<Summary> {
  const call = createClient({ baseUrl: server.url, fetch, key: server.key })
  const report = await loadWithRuns(call, { count: runs, clients, seed })
  const lost = runs - report.doubled - (await countEnded(call))
  const passed = report.wrong.length <= mostWrong && report.doubled === 0 && lost === 0
  return { ...report, perSecond: runs / report.seconds, lost, passed }
}

async function countEnded(call: Client): Promise<number> {
  const ids = new Set<string>()
  let cursor: string | null | undefined
  do {
    const page = await call(routes.runs.list, { query: { limit: 100, ...(cursor && { cursor }) } })
    for (const { id, status } of page.items) if (/^(succeeded|failed|cancelled)$/.test(status)) ids.add(id)
    cursor = page.nextCursor
  } while (cursor)
  return ids.size
}

function numberOf(option: string, otherwise: number): number {
  const at = process.argv.indexOf(option)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}

const directory = await makeDataDirectory()
const server = await startBenchServer(directory.path)
try {
  const summary = await measure(server, { runs: numberOf('--runs', 10_000), seed: numberOf('--seed', 7) })
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(summary)}\n`)
  else {
    const { runs, seconds, perSecond, wrong, doubled, lost, passed } = summary
    console.log(`${runs} runs from ${clients} clients in ${seconds.toFixed(1)} s: ${perSecond.toFixed(0)} a second`)
    // a token of another run in an answer is a wrong ending, so runs that crossed are among them
    console.log(`wrong ${wrong.length} (at most ${mostWrong}), lost ${lost}, doubled ${doubled}`)
    for (const { kind, fault } of wrong.slice(0, 20)) console.log(`  ${kind}: ${fault}`)
    console.log(passed ? 'passed' : 'failed')
  }
  if (!summary.passed) process.exitCode = 1
} finally {
  await server.stop()
  await directory.remove()
}
