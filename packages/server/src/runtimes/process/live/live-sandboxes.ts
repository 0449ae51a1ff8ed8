import { setTimeout as wait } from 'node:timers/promises'
import type { Launcher, LaunchSpec } from '../../launch/index.ts'
import type { SandboxLimits, SandboxSpec } from '../../sandbox.ts'
import { networkEnvironment, proxyPort } from '../network-environment.ts'
import { WarmPool } from '../pools/warm-pool.ts'
import { ZygotePool } from '../zygotes/zygote-pool.ts'
import { type LiveSandbox, openSandbox } from './open-sandbox.ts'
import { type ReadyKeeper, untilKept } from './ready-keeper.ts'
import { nodeModulesLink, setPrograms } from './use-sets.ts'

export interface LiveSandboxesOptions {
  launcher: Launcher
  /** What every sandbox is shown, its environment and its home. */
  place: Pick<LaunchSpec, 'binds' | 'env' | 'home'>
  /** What runs Python sessions, where that is not the system's. */
  python?: string
  /** Sandboxes kept ready, and the limits they are made with; without, each is made when it is asked for. */
  ready?: number
  limits?: SandboxLimits
  /**
   * How long after warm() keepers have a Python session loaded that they can fork: a server has other things to do when it
   * starts. Left out, warm() waits for it.
   */
  sessionsAfterMs?: number
  onFailure(error: unknown): void
}

export interface LiveSandboxes {
  /** `forked` came from a zygote, ready before or not. */
  readonly stats: { ready: number; hits: number; misses: number; forked: number; open: number }
  open(spec: SandboxSpec): Promise<LiveSandbox>
  warm(): Promise<void>
  close(): Promise<void>
}

const driver = '/opt/coherex/keeper'
/** `pip` and `npm` that ask the host. */
const fronts = '/opt/coherex/front'
// beside the proxy's
const installerPort = proxyPort + 1
const argv = ['/usr/bin/python3', '-I', '-S', '-B', '-X', 'utf8', `${driver}/driver.py`]
// the keeper holds the ends of everything that others use; each process inside has its own limit
const keeperFiles = 4096
// half a megabyte of kernel memory for the namespaces of each fork is the zygote's; it may never run out, since all end with it
const zygoteMb = 2048
const forksPerZygote = 1000
const neededMb = 64
// of a session that is loaded with the data stack, twice
const sessionMb = 512
const sessionModules = ['ahead']
// overwritten in each session, see ahead.py
const noProcess = { COHEREX_PROCESS: '0000000000' }
const anyLimits: SandboxLimits = { memoryMb: 512, processes: 64, openFiles: 256, diskMb: 64, inodes: 10_000 }
const always = { readOnly: false, seccomp: 'guest' } as const
const never = new AbortController().signal

/** Sandboxes that live on, from a pool of ready ones where their limits are the usual. */
export function createLiveSandboxes(options: LiveSandboxesOptions): LiveSandboxes {
  const { launcher, place, ready = 0, limits: usual = anyLimits, sessionsAfterMs, onFailure } = options
  const open = new Set<LiveSandbox>()
  const stop = new AbortController()
  let isClosed = false
  let loadsSessions = sessionsAfterMs === undefined

  const availableMb = () => process.availableMemory() / 1024 / 1024
  const traits = { isFirst: true, hasTerminals: true, countsFilesApart: true, links: [nodeModulesLink] }
  const withKeeper = (limits: SandboxLimits) => ({ ...limits, openFiles: keeperFiles })
  const launch = async (limits: SandboxLimits, templateDir?: string): Promise<ReadyKeeper> => {
    const binds = [...place.binds, ...(templateDir ? [{ host: templateDir, guest: '/opt/template' }] : [])]
    const { env, home } = place
    const spec: LaunchSpec = { argv, binds, env, home, limits: withKeeper(limits), ...always, ...traits }
    return untilKept(await launcher.launch(spec))
  }
  const { env, home, binds } = place
  // forks of a keeper that is loaded already: a quarter of the time and half of the memory
  const forks = new ZygotePool<ReadyKeeper>({
    load: () => {
      const modules = loadsSessions && availableMb() > sessionMb ? sessionModules : []
      return launcher.startZygote({
        ...{ env: { ...env, ...noProcess }, home, binds, driver, modules, memoryMb: zygoteMb },
        // a session that it forks is of its own Python
        ...(modules.length > 0 && options.python && { python: options.python }),
        ...traits,
      })
    },
    ready: untilKept,
    ahead: ready,
    defaults: withKeeper(usual),
    neededMb,
    availableMb,
    maxForks: forksPerZygote,
    maxAgeMs: 60 * 60_000,
    onFailure,
  })
  // disk and inodes are fixed when a sandbox is made, and limits of a process can only be lowered
  const fitsPool = (limits: SandboxLimits) =>
    limits.diskMb === usual.diskMb && limits.inodes === usual.inodes && limits.processes <= usual.processes
  const canFork = launcher.zygotesUnavailable() === undefined
  const pool = new WarmPool<ReadyKeeper>({
    size: canFork ? 0 : ready,
    start: () => launch(usual),
    onFailure,
  })
  const take = async ({ limits, templateDir }: SandboxSpec): Promise<ReadyKeeper> => {
    // a zygote's packages are mounted when a sandbox is made
    if (templateDir !== undefined) return launch(limits, templateDir)
    // a moment after the server has started; only of forks is it heard what they were denied
    await forks.settled(never)
    try {
      const forked = await (fitsPool(limits) ? forks.take(never) : forks.fork(withKeeper(limits)))
      if (forked) return forked
    } catch (error) {
      // a zygote that died or is on its way out: there is another way
      onFailure(error)
    }
    return fitsPool(limits) ? pool.take(never) : launch(limits)
  }

  return {
    get stats() {
      const [one, other] = [forks.stats, pool.stats]
      const [ready, hits, misses] = [one.ready + other.ready, one.hits + other.hits, one.misses + other.misses]
      return { ready, hits, misses, forked: one.hits + one.misses, open: open.size }
    },
    async open(spec) {
      const kept = await take(spec)
      // after the answer: the next one is made in the time of nobody
      setImmediate(() => (canFork ? forks : pool).refill())
      const { network, installer } = spec
      const env = {
        ...place.env,
        PATH: [...(installer ? [fronts] : []), ...setPrograms, place.env['PATH']].join(':'),
        ...(network && networkEnvironment),
        ...(installer && { COHEREX_INSTALLER: String(installerPort) }),
        ...spec.env,
      }
      const sandbox = await openSandbox(kept, { ...spec, env }, options.python)
      await Promise.all([
        network && sandbox.listen(proxyPort, (connection) => network.accept(connection)),
        installer && sandbox.listen(installerPort, (connection) => installer.accept(connection)),
      ])
      open.add(sandbox)
      void sandbox.ended.then(() => open.delete(sandbox))
      if (isClosed) await sandbox.close()
      return sandbox
    },
    async warm() {
      if (ready > 0) await (canFork ? forks.start() : pool.full())
      if (ready === 0 || !canFork || loadsSessions) return
      void wait(sessionsAfterMs, undefined, { signal: stop.signal, ref: false })
        .then(() => {
          loadsSessions = true
          return forks.renew()
        })
        .catch(() => undefined) // closed before its time came
    },
    async close() {
      isClosed = true
      stop.abort()
      await Promise.all([...open].map((sandbox) => sandbox.close()))
      await Promise.all([forks.close(), pool.close()])
    },
  }
}
