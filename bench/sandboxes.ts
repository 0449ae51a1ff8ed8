// Sandboxes that live on: how fast they are made and what an idle one costs, beside bare bwrap in the same minute.
// Run: node bench/sandboxes.ts
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createLauncher } from '../packages/server/src/runtimes/launch/index.ts'
import { createProcessRuntime } from '../packages/server/src/runtimes/process/index.ts'
import type { Sandbox, SandboxSpec } from '../packages/server/src/runtimes/sandbox.ts'
import { runBareSandbox } from './bare-sandbox.ts'
import type { BenchServer } from './bench-server.ts'
import { median } from './measure.ts'

export interface SandboxRow {
  what: string
  value: number
  unit: string
  goal: string
  bare?: number
  reached: boolean
}

const limits = { memoryMb: 1024, processes: 128, openFiles: 1024, diskMb: 1024, inodes: 20_000 }
const runLimits = { ...limits, timeoutMs: 30_000, cpuMs: 30_000, outputBytes: 1_000_000 }
const spec: SandboxSpec = { limits, domain: 'bench', env: {} }
const atOnce = 100
// a hundred of them together are within the memory of a machine and of a team
const small = { limits: { memoryMb: 64, diskMb: 1024 } }
const idle = 10
const uidBase = 0x71000000
const users = 0x800

/** As a client sees it: with its key checked, its quotas looked at, its row and its audit event on disk. */
export async function benchSandboxesOverHttp(server: BenchServer): Promise<SandboxRow[]> {
  const key = await server.createTeamKey('Sandboxes', { sandboxesAtOnce: atOnce })
  const create = () => server.call<{ id: string }>(key, 'POST', '/api/v1/sandboxes', small)
  const remove = ({ id }: { id: string }) => server.call(key, 'DELETE', `/api/v1/sandboxes/${id}`)
  for (let at = 0; at < 5; at++) await remove(await create())
  const creates: number[] = []
  for (let round = 0; round < 30; round++) {
    let made = { id: '' }
    creates.push(await timed(async () => void (made = await create())))
    await remove(made)
    await wait(60)
  }
  const bursts: number[] = []
  for (let round = 0; round < 3; round++) {
    await wait(1000)
    let made: { id: string }[] = []
    bursts.push(await timed(async () => void (made = await Promise.all(Array.from({ length: atOnce }, create)))))
    await Promise.all(made.map(remove))
  }
  return [
    row('sandbox created over HTTP, p50', median(creates), 'ms', 20),
    row(`${atOnce} sandboxes created over HTTP at once`, median(bursts), 'ms', 1500),
  ]
}

/** The mechanism itself. */
export async function benchSandboxes(): Promise<SandboxRow[]> {
  const stateDir = mkdtempSync(join(tmpdir(), 'coherex-bench-'))
  chmodSync(stateDir, 0o755)
  const launcher = await createLauncher({ stateDir, uidBase })
  const runtime = await createProcessRuntime({ launcher, defaults: runLimits, poolSize: 0, live: { ready: 4, limits } })
  await runtime.warm()
  const open = () => runtime.open(spec)
  try {
    const creates: number[] = []
    const bare: number[] = []
    for (let round = 0; round < 30; round++) {
      bare.push(await timed(() => runBareSandbox(['/usr/bin/python3', '-c', '1'])))
      let opened: Sandbox | undefined
      creates.push(await timed(async () => void (opened = await open())))
      await opened?.close()
      // the pool refills in the background; latency is measured on a machine that is not full
      await wait(60)
    }
    const bursts: number[] = []
    for (let round = 0; round < 3; round++) {
      await wait(500)
      let opened: Sandbox[] = []
      bursts.push(await timed(async () => void (opened = await Promise.all(Array.from({ length: atOnce }, open)))))
      await Promise.all(opened.map((sandbox) => sandbox.close()))
    }
    await wait(500)
    const before = pssMb()
    const sandboxes = await Promise.all(Array.from({ length: idle }, open))
    await runtime.warm()
    const withBare = pssMb()
    await Promise.all(sandboxes.map(runOne))
    await wait(200)
    const withSessions = pssMb()
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
    return [
      row('sandbox created from the pool, p50', median(creates), 'ms', 20, median(bare)),
      row(`${atOnce} sandboxes created at once`, median(bursts), 'ms', 1500),
      row('an idle bare sandbox, PSS', (withBare - before) / idle, 'MB', 15),
      row('an idle Python session with pandas, PSS', (withSessions - withBare) / idle, 'MB', 15),
    ]
  } finally {
    await runtime.close()
    await launcher.close()
    rmSync(stateDir, { recursive: true, force: true })
  }
}

async function timed(act: () => Promise<void>): Promise<number> {
  const from = performance.now()
  await act()
  return performance.now() - from
}

async function runOne(sandbox: Sandbox): Promise<void> {
  const { status } = await sandbox.runCell(
    { context: 'python', language: 'python', code: 'import pandas\nx = 1' },
    {
      limits: { timeoutMs: 30_000, outputBytes: 1_000 },
      ...{ signal: new AbortController().signal, capabilities: {}, onOutput() {}, onStart() {} },
    },
  )
  if (status !== 'succeeded') throw new Error('A cell failed')
}

/** Of all processes that run as users of these sandboxes, templates included. */
function pssMb(): number {
  const own = process.getuid?.() === 0
  return readdirSync('/proc').reduce((sum, name) => {
    if (!/^\d+$/.test(name) || !own) return sum
    try {
      const uid = Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1])
      if (uid < uidBase || uid >= uidBase + users) return sum
      return sum + Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
    } catch {
      // gone meanwhile
      return sum
    }
  }, 0)
}

function row(what: string, value: number, unit: string, goal: number, bare?: number): SandboxRow {
  return { what, value, unit, goal: `≤ ${goal}`, ...(bare !== undefined && { bare }), reached: value <= goal }
}

if (import.meta.main) {
  const { makeDataDirectory, startBenchServer } = await import('./bench-server.ts')
  const directory = await makeDataDirectory()
  const server = await startBenchServer(directory.path)
  try {
    await wait(5000)
    console.table([...(await benchSandboxesOverHttp(server)), ...(await benchSandboxes())])
  } finally {
    await server.stop()
    await directory.remove()
  }
}
