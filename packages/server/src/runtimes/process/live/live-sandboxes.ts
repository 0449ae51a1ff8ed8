import type { Launcher, LaunchSpec } from '../../launch/index.ts'
import type { SandboxLimits, SandboxSpec } from '../../sandbox.ts'
import { networkEnvironment, proxyPort } from '../network-environment.ts'
import { WarmPool } from '../warm-pool.ts'
import { type LiveSandbox, openSandbox } from './open-sandbox.ts'
import { type ReadyKeeper, startReadyKeeper } from './ready-keeper.ts'

export interface LiveSandboxesOptions {
  launcher: Launcher
  /** What every sandbox is shown, its environment and its home. */
  place: Pick<LaunchSpec, 'binds' | 'env' | 'home'>
  /** Sandboxes kept ready; 0 makes each when it is asked for. */
  poolSize: number
  onFailure(error: unknown): void
}

export interface LiveSandboxes {
  readonly stats: { ready: number; hits: number; misses: number; open: number }
  open(spec: SandboxSpec): Promise<LiveSandbox>
  warm(): Promise<void>
  close(): Promise<void>
}

/** What a sandbox gets that asks for nothing; only such ones are kept ready. */
export const defaultSandboxLimits: SandboxLimits = {
  memoryMb: 1024,
  processes: 128,
  openFiles: 1024,
  diskMb: 1024,
  inodes: 100_000,
}

const argv = ['/usr/bin/python3', '-I', '-S', '-B', '-X', 'utf8', '/opt/coherex/keeper/keeper.py']
// the keeper holds the ends of everything that others use; each process inside has its own limit
const keeperFiles = 4096

/** Sandboxes that live on, from a pool of ready ones where their limits are the usual. */
export function createLiveSandboxes(options: LiveSandboxesOptions): LiveSandboxes {
  const { launcher, place, poolSize, onFailure } = options
  const open = new Set<LiveSandbox>()
  let isClosed = false

  const launchSpec = (limits: SandboxLimits, templateDir?: string): LaunchSpec => ({
    ...{ argv, env: place.env, home: place.home },
    binds: [...place.binds, ...(templateDir ? [{ host: templateDir, guest: '/opt/template' }] : [])],
    readOnly: false,
    limits: { ...limits, openFiles: keeperFiles },
    seccomp: 'guest',
    isFirst: true,
    hasTerminals: true,
    countsFilesApart: true,
  })
  const pool = new WarmPool<ReadyKeeper>({
    size: poolSize,
    start: () => startReadyKeeper(launcher, launchSpec(defaultSandboxLimits)),
    onFailure,
  })
  const take = ({ limits, templateDir }: SandboxSpec) =>
    templateDir === undefined && fitsPool(limits)
      ? pool.take(new AbortController().signal)
      : startReadyKeeper(launcher, launchSpec(limits, templateDir))

  return {
    get stats() {
      return { ...pool.stats, open: open.size }
    },
    async open(spec) {
      const ready = await take(spec)
      // after the answer: the next one is made in the time of nobody
      setImmediate(() => pool.refill())
      const { network } = spec
      const env = { ...place.env, ...(network && networkEnvironment), ...spec.env }
      const sandbox = await openSandbox(ready, { ...spec, env })
      if (network) await sandbox.listen(proxyPort, (connection) => network.accept(connection))
      open.add(sandbox)
      void sandbox.ended.then(() => open.delete(sandbox))
      if (isClosed) await sandbox.close()
      return sandbox
    },
    warm: () => pool.full(),
    async close() {
      isClosed = true
      await pool.close()
      await Promise.all([...open].map((sandbox) => sandbox.close()))
    },
  }
}

// disk and inodes are fixed when a sandbox is made, and limits of a process can only be lowered
function fitsPool(limits: SandboxLimits): boolean {
  return (
    limits.diskMb === defaultSandboxLimits.diskMb &&
    limits.inodes === defaultSandboxLimits.inodes &&
    limits.processes <= defaultSandboxLimits.processes &&
    limits.openFiles <= keeperFiles
  )
}
