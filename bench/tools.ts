// Calls of tools over HTTP beside runs of the same code: `node bench/tools.ts [--json] [--seconds 3]`.
import type { Run, RunRequest } from '../packages/contract/src/index.ts'
import { makeDataDirectory, startBenchServer, type BenchServer } from './bench-server.ts'
import { median, sample, sustain, type Row } from './measure.ts'

const code = `export default (env, { lines }) => ({ total: lines.reduce((sum, { price }) => sum + price, 0) })\n`
const input = { lines: [{ price: 2 }, { price: 3 }] }
const pandas = `import pandas


def main(lines: list[dict]) -> dict:
    return {"total": int(pandas.DataFrame(lines)["price"].sum())}
`

export async function benchTools(seconds = 3): Promise<Row[]> {
  const directory = await makeDataDirectory()
  const server = await startBenchServer(directory.path)
  try {
    return [...(await javascript(server, seconds * 1000)), ...(await python(server))]
  } finally {
    await server.stop()
    await directory.remove()
  }
}

/** In turns, so that a busy moment of the machine weighs on both alike. */
async function javascript(server: BenchServer, ms: number): Promise<Row[]> {
  const schemas =
    'input: { type: object, required: [lines], properties: { lines: { type: array, items: { type: object, properties: { price: { type: number } } } } } }\noutput: { type: object, required: [total] }'
  await publish(server, { name: 'invoice', language: 'javascript', schemas, file: 'main.js', code })
  const call = () => callTool(server, 'invoice')
  const run = () => server.run(server.key, { language: 'javascript', code, input })
  const times = { call: [] as number[], run: [] as number[] }
  const rates = { call: [] as number[], run: [] as number[] }
  for (let round = 0; round < 7; round++) {
    // the first round gets everything ready
    const [callMs, runMs] = [await sample(40, call), await sample(40, run)]
    if (round > 0) times.call.push(callMs)
    if (round > 0) times.run.push(runMs)
  }
  for (let round = 0; round < 3; round++) {
    const [callRate, runRate] = [await sustain(16, ms, call), await sustain(16, ms, run)]
    if (round > 0) rates.call.push(callRate)
    if (round > 0) rates.run.push(runRate)
  }
  const [callMs, runMs] = [median(times.call), median(times.run)]
  const [callRate, runRate] = [median(rates.call), median(rates.run)]
  return [
    {
      what: 'JS tool call over HTTP, kept, p50, beside a run of the same code',
      ...{ value: callMs, unit: 'ms', goal: '≤ 3' },
      ...{ bare: runMs, ratio: callMs / runMs, reached: callMs <= 3 },
    },
    {
      what: 'JS tool calls over HTTP, kept, beside runs of the same code',
      ...{ value: callRate, unit: 'calls/s', goal: '≥ 700' },
      ...{ bare: runRate, ratio: callRate / runRate, reached: callRate >= 700 },
    },
  ]
}

async function python(server: BenchServer): Promise<Row[]> {
  await publish(server, { name: 'frame', language: 'python', schemas: '', file: 'main.py', code: pandas })
  const program: RunRequest = { language: 'python', code: `${pandas}\nimport coherex\nmain(**coherex.input)`, input }
  const times = { call: [] as number[], run: [] as number[] }
  for (let round = 0; round < 20; round++) {
    const callMs = await sample(1, () => callTool(server, 'frame'))
    const runMs = await sample(1, () => server.run(server.key, program))
    // the pool refills in the background; latency is measured on a machine that is not full
    await new Promise((resolve) => setTimeout(resolve, 100))
    if (round >= 5) times.call.push(callMs)
    if (round >= 5) times.run.push(runMs)
  }
  const [callMs, runMs] = [median(times.call), median(times.run)]
  return [
    {
      what: 'Python tool call that imports pandas over HTTP, p50, beside a run of the same code',
      ...{ value: callMs, unit: 'ms', goal: '≤ 15' },
      ...{ bare: runMs, ratio: callMs / runMs, reached: callMs <= 15 },
    },
  ]
}

interface NewTool {
  name: string
  language: string
  /** Lines of tool.yaml; those that the code declares where there are none. */
  schemas: string
  file: string
  code: string
}

async function publish(server: BenchServer, { name, language, schemas, file, code: text }: NewTool): Promise<void> {
  const tests = `tests: [{ name: sum, input: ${JSON.stringify(input)}, output: { total: 5 } }]`
  const yaml = `kind: tool\nname: ${name}\ndescription: Adds up lines\nlanguage: ${language}\nlicence: MIT\n${schemas}\n${tests}\n`
  const files = { 'tool.yaml': yaml, [file]: text }
  await server.call(server.key, 'POST', '/api/v1/tools', { files })
  const { published, checks } = await server.call<{ published: boolean; checks: unknown }>(
    server.key,
    'POST',
    `/api/v1/tools/${name}/publish`,
  )
  if (!published) throw new Error(`A tool of the bench was not published: ${JSON.stringify(checks)}`)
}

async function callTool(server: BenchServer, name: string): Promise<void> {
  const { output, run } = await server.call<{ output: unknown; run: Run }>(
    server.key,
    'POST',
    `/api/v1/tools/${name}/call`,
    { input },
  )
  if (JSON.stringify(output) !== '{"total":5}') throw new Error(`A call of the bench failed: ${run.error?.message}`)
}

if (import.meta.main) {
  const { argv } = process
  const rows = await benchTools(argv.includes('--seconds') ? Number(argv[argv.indexOf('--seconds') + 1]) : undefined)
  if (argv.includes('--json')) console.log(JSON.stringify(rows))
  else console.table(rows)
}
