// What a run over HTTP costs in CPU time, and who spends it. On a machine that does other things as well this can be compared, in turns
// with another checkout, where runs a second cannot.
// Run: node bench/cpu.ts [--server <main.ts of another checkout>] [--windows 5] [--only js-1,js-16,teams-8,pandas-8]
import { parseArgs } from 'node:util'
import { makeDataDirectory, startBenchServer } from './bench-server.ts'
import { type CpuTime, readCpuTime, spenders } from './cpu-time.ts'
import { sustain } from './measure.ts'
import { javascript, pandas } from './programs.ts'

interface Load {
  clients: number
  run(client: number, at: number): Promise<unknown>
}

type Figures = CpuTime & { total: number; 'runs/s': number }

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    windows: { type: 'string', default: '5' },
    only: { type: 'string', default: 'js-1,js-16,teams-8,pandas-8' },
  },
})

// until each team has its children and the data template is loaded
const warmUpMs = 5000
const windowMs = 2000

const directory = await makeDataDirectory()
const server = await startBenchServer(directory.path, {}, values.server)
try {
  const keys: string[] = []
  for (let team = 0; team < 8; team++) keys.push(await server.createTeamKey(`Bench ${team}`))
  const loads: Record<string, Load> = {
    'js-1': { clients: 1, run: (_, at) => server.run(server.key, javascript(at % 50)) },
    'js-16': { clients: 16, run: (_, at) => server.run(server.key, javascript(at % 50)) },
    'teams-8': { clients: 16, run: (client, at) => server.run(keys[client % 8] ?? '', javascript(at % 50)) },
    'pandas-8': { clients: 8, run: (_, at) => server.run(server.key, pandas(at)) },
  }
  const rows: Record<string, Record<string, string>> = {}
  for (const name of values.only.split(',')) {
    const load = loads[name]
    if (!load) throw new Error(`There is no load "${name}": there are ${Object.keys(loads).join(', ')}`)
    await sustain(load.clients, warmUpMs, load.run)
    const windows: Figures[] = []
    for (let at = 0; at < Number(values.windows); at++) windows.push(await measure(load))
    windows.sort((a, b) => a.total - b.total)
    rows[`${name}, least`] = shown(windows[0])
    rows[`${name}, median`] = shown(windows[Math.floor(windows.length / 2)])
  }
  console.log('milliseconds of CPU a run')
  console.table(rows)
} finally {
  await server.stop()
  await directory.remove()
}

async function measure({ clients, run }: Load): Promise<Figures> {
  let runs = 0
  const before = await readCpuTime(server.pid)
  const rate = await sustain(clients, windowMs, async (client, at) => {
    await run(client, at)
    runs++
  })
  const after = await readCpuTime(server.pid)
  const cost = Object.fromEntries(spenders.map((one) => [one, (after[one] - before[one]) / runs])) as CpuTime
  return { ...cost, total: spenders.reduce((sum, one) => sum + cost[one], 0), 'runs/s': rate }
}

function shown(figures: Figures | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(figures ?? {}).map(([name, value]) => [name, value.toFixed(2)]))
}
