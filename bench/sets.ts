// Python runs with a package set that is there already, beside the same without; and polars from a guest that has loaded it.
// Run: node bench/sets.ts
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createLauncher } from '../packages/server/src/runtimes/launch/index.ts'
import type { PackageSet } from '../packages/server/src/runtimes/package-set.ts'
import { createProcessRuntime, findUv, type ProcessRuntime } from '../packages/server/src/runtimes/process/index.ts'
import type { Program } from '../packages/server/src/runtimes/runtime.ts'
import { median, type Row } from './measure.ts'

const limits = {
  ...{ timeoutMs: 60_000, cpuMs: 60_000, memoryMb: 1024, outputBytes: 1_000_000 },
  ...{ processes: 128, openFiles: 1024, diskMb: 256, inodes: 20_000 },
}
const rounds = 20
const plain = 'print(1)'
const importing = 'import polars as pl\npl.DataFrame({"a": [1, 2]})["a"].sum()'
// the next guest is loaded behind the one that was taken
const pauseMs = 600

/** The mechanism itself. No rows where polars cannot be fetched. */
export async function benchSets(): Promise<Row[]> {
  const stateDir = mkdtempSync(join(tmpdir(), 'coherex-bench-'))
  chmodSync(stateDir, 0o755)
  const setsDir = join(stateDir, 'sets')
  mkdirSync(setsDir, { mode: 0o711 })
  const set = await makeSet(setsDir)
  if (!set) {
    rmSync(stateDir, { recursive: true, force: true })
    return []
  }
  const launcher = await createLauncher({ stateDir: join(stateDir, 'launcher'), uidBase: 0x73000000 })
  const zygotes = { ahead: { plain: 2, data: 1 } }
  const runtime = await createProcessRuntime({ launcher, defaults: limits, poolSize: 0, zygotes, setsDir })
  try {
    await runtime.zygotes?.warm(true)
    const times = { without: [] as number[], with: [] as number[], imported: [] as number[], loaded: [] as number[] }
    for (let at = 0; at < 5; at++) await timeRun(runtime, plain)
    for (let round = 0; round < rounds; round++) {
      times.without.push(await timeRun(runtime, plain))
      await wait(60)
      times.with.push(await timeRun(runtime, plain, set))
      await wait(60)
    }
    // of a folder that is each time another one to the runtime: none is loaded ahead
    for (let round = 0; round < 5; round++) times.imported.push(await timeRun(runtime, importing, set, `team-${round}`))
    for (let at = 0; at < 2; at++) await timeRun(runtime, importing, set)
    for (let round = 0; round < rounds; round++) {
      await wait(pauseMs)
      times.loaded.push(await timeRun(runtime, importing, set))
    }
    const more = median(times.with) - median(times.without)
    const [loaded, imported] = [median(times.loaded), median(times.imported)]
    return [
      {
        what: 'Python run with a cached set, more than without, p50',
        ...{ value: more, unit: 'ms', goal: '≤ 5', bare: median(times.without), reached: more <= 5 },
      },
      {
        what: 'Python run that imports polars, loaded ahead, p50 (bare: imported by the run)',
        ...{ value: loaded, unit: 'ms', goal: '≤ 25', bare: imported, ratio: loaded / imported, reached: loaded <= 25 },
      },
    ]
  } finally {
    await runtime.close()
    await launcher.close()
    rmSync(stateDir, { recursive: true, force: true })
  }
}

async function makeSet(setsDir: string): Promise<PackageSet | undefined> {
  const uv = findUv()
  const folder = 'polars'
  const site = join(setsDir, folder, 'site')
  const words = [
    'pip',
    'install',
    '--quiet',
    '--python',
    '/usr/bin/python3',
    '--only-binary',
    ':all:',
    '--target',
    site,
  ]
  try {
    if (!uv) return undefined
    await promisify(execFile)(uv, [...words, 'polars'], { timeout: 300_000 })
  } catch {
    return undefined // no index answers
  }
  const modules = readdirSync(site).filter((name) => /^\w+$/.test(name))
  return { hash: folder, language: 'python', folder, modules }
}

async function timeRun(runtime: ProcessRuntime, code: string, set?: PackageSet, domain = 'bench'): Promise<number> {
  const program: Program = {
    ...{ language: 'python', code, entry: 'main.py', files: {}, env: {}, packages: [] },
    ...{ typecheck: false, readOnly: false, ...(set && { set }) },
  }
  const from = performance.now()
  const signal = new AbortController().signal
  const { status, error } = await runtime.run(program, {
    ...{ limits, signal, capabilities: {}, domain, onOutput() {}, onStart() {} },
  })
  if (status !== 'succeeded') throw new Error(`A run of the bench failed: ${error?.message}`)
  return performance.now() - from
}

if (import.meta.main) console.table(await benchSets())
