// What a package of npm costs a run that has it already, and how long it takes the first time: `node bench/packages.ts [--json]`.
import { readNpmSettings } from '../packages/server/src/packages/npm/npm-settings.ts'
import { startNpmRegistry } from '../packages/server/tests/harness/outside/npm-registry.ts'
import { makeDataDirectory, startBenchServer, type BenchServer } from './bench-server.ts'
import { median, sample, type Row } from './measure.ts'

const body = 'const items = Array.from({ length: 100 }, (_, i) => i)\nexport default () => sum(items)'
const javascript = (head: string, more = '') => ({ language: 'javascript' as const, code: `${head}\n${body}${more}` })
const without = javascript('const sum = (all) => all.reduce((a, b) => a + b, 0)')

export async function benchPackages(): Promise<Row[]> {
  return [...(await benchCachedSet()), ...(await benchFirstUse()), ...(await benchFirstPolars())]
}

/** A registry on loopback, so that every machine can tell. */
async function benchCachedSet(): Promise<Row[]> {
  const registry = await startNpmRegistry()
  try {
    await registry.publish({
      name: 'bench-sum',
      version: '1.0.0',
      files: { 'index.js': 'exports.sum = (all) => all.reduce((a, b) => a + b, 0)' },
    })
    return await withServer({ COHEREX_NPM_REGISTRY: registry.url }, async (server) => {
      const inIsolate = await beyond(server, javascript("import { sum } from 'bench-sum'"), without)
      const needsProcess = '\nimport { cpus } from "node:os"\ncpus()'
      const inProcess = await beyond(
        server,
        javascript("import { sum } from 'bench-sum'", needsProcess),
        javascript('const sum = (all) => all.reduce((a, b) => a + b, 0)', needsProcess),
      )
      return [
        more('run with a cached package of npm, beyond the same run without', inIsolate, 2),
        more('the same in a process', inProcess, 2),
      ]
    })
  } finally {
    await registry.close()
  }
}

async function benchFirstUse(): Promise<Row[]> {
  const { registry } = readNpmSettings(process.env)
  const isReachable = await fetch(`${registry}es-toolkit`, { method: 'HEAD', signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isReachable) {
    process.stderr.write('first use of es-toolkit was not measured: the registry of npm cannot be reached\n')
    return []
  }
  return withServer(npmEnvironment(), async (server) => {
    const program = javascript("import { sum } from 'es-toolkit'")
    const first = await sample(1, () => server.run(server.key, program))
    const later = await beyond(server, program, without)
    return [
      { what: 'first use of es-toolkit, resolved and fetched', value: first, unit: 'ms', goal: 'shown', reached: true },
      // most of it is the evaluation of its 400 functions, as it is with packages that are built in
      { ...more('run with es-toolkit, beyond the same run without', later, 2), goal: 'shown', reached: true },
    ]
  })
}

/** Through the server, from nothing: uv resolves it, its wheel is fetched and unpacked, and the program imports it. */
async function benchFirstPolars(): Promise<Row[]> {
  return withServer(indexEnvironment(), async (server) => {
    const code = 'import polars\npolars.DataFrame({"a": [1, 2, 3]})["a"].sum()'
    const program = { language: 'python' as const, code, packages: ['polars'] }
    try {
      const first = await sample(1, () => server.run(server.key, program))
      const what = 'first use of polars, resolved and fetched'
      return [{ what, value: first, unit: 'ms', goal: 'shown', reached: true }]
    } catch (error) {
      process.stderr.write(`first use of polars was not measured: ${(error as Error).message}\n`)
      return []
    }
  })
}

/** As uv and pip are configured here. */
function indexEnvironment(): Record<string, string> {
  const isOfIndex = (name: string) => /^(UV_.*|PIP_.*|HOME|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS)$/.test(name)
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (isOfIndex(name) && value ? [[name, value]] : [])),
  )
}

/** As npm is configured here, and with the certificates that this process trusts. */
function npmEnvironment(): Record<string, string> {
  const isOfNpm = (name: string) => /^(npm_config_.*|HOME|NODE_EXTRA_CA_CERTS)$/i.test(name)
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (isOfNpm(name) && value ? [[name, value]] : [])),
  )
}

interface Difference {
  base: number
  more: number
}

/** In turns, so that a busy moment of the machine weighs on both. */
async function beyond(server: BenchServer, one: typeof without, other: typeof without): Promise<Difference> {
  await sample(20, () => server.run(server.key, one))
  await sample(20, () => server.run(server.key, other))
  const rounds: Difference[] = []
  for (let round = 0; round < 7; round++) {
    const base = await sample(20, () => server.run(server.key, other))
    rounds.push({ base, more: (await sample(20, () => server.run(server.key, one))) - base })
  }
  return { base: median(rounds.map(({ base }) => base)), more: median(rounds.map((round) => round.more)) }
}

function more(what: string, { base, more: value }: Difference, goal: number): Row {
  return { what, value, unit: 'ms', goal: `≤ ${goal}`, bare: base, reached: value <= goal }
}

async function withServer<T>(settings: Record<string, string>, work: (server: BenchServer) => Promise<T>): Promise<T> {
  const directory = await makeDataDirectory()
  const server = await startBenchServer(directory.path, settings)
  try {
    return await work(server)
  } finally {
    await server.stop()
    await directory.remove()
  }
}

if (import.meta.main) {
  const rows = await benchPackages()
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(rows)}\n`)
  else
    for (const { what, value, unit, goal, bare } of rows) {
      process.stdout.write(
        `${what}: ${value.toFixed(1)} ${unit} (goal ${goal}${bare === undefined ? '' : `, beside ${bare.toFixed(1)}`})\n`,
      )
    }
}
