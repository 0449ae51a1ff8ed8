import { mkdir } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { checkQuota } from './access/index.ts'
import {
  StartError,
  type Blobs,
  type DataDirectory,
  type Database,
  type EventBus,
  type Log,
  type ReleaseBlobs,
} from './base/index.ts'
import { createShellPool, shellLaunchSpec } from './capabilities/index.ts'
import type { Config } from './config.ts'
import { createPackageSources } from './create-package-sources.ts'
import { createEgress, parseHostPort, type HostPort } from './egress/index.ts'
import { createPackages, fetchAhead } from './packages/index.ts'
import {
  createAttachments,
  createSandboxFiles,
  createNotebooks,
  createSandboxVerbs,
  createTemplateBuilder,
  defaultRunLimits,
  defaultSandboxLimits,
  findBasedpyright,
  LanguageServers,
  Allowances,
  type BindMore,
  Meter,
  Runs,
  Sandboxes,
  type SandboxesDeps,
  Templates,
  openNetwork,
  packagesOfWorkspace,
} from './runs/index.ts'
import {
  BundleStore,
  createLauncher,
  createProcessRuntime,
  createRouter,
  createWasmRuntime,
  findBasePython,
  findEngine,
  IsolateRuntime,
  SetBundles,
  TypeChecker,
} from './runtimes/index.ts'
import type { Workspaces } from './workspaces/index.ts'

export interface RunsOptions {
  config: Config
  directory: DataDirectory
  database: Database
  events: EventBus
  blobs: Blobs
  releaseBlobs: ReleaseBlobs
  waitingMb: (teamId: string) => number
  workspaces: Workspaces
  /** What every run holds of rooms above. */
  bindMore: BindMore
  log: Log
  serverId: string
  port: number
  /** For names of folders of packages that no other team may guess. */
  packagesKey: Uint8Array
}

const aheadAfterMs = 15_000

/** Builds what executes code, from the launcher up. Without a sandbox it still answers, and refuses every run. */
export async function createRuns(options: RunsOptions) {
  const { config, directory, database, events, blobs, releaseBlobs, waitingMb } = options
  const { workspaces, bindMore, log, serverId, port } = options
  const cacheDir = join(directory.path, 'cache')
  const stateDir = join(directory.path, 'sandboxes')
  // sandboxes run as other users, who read what is in here
  await mkdir(cacheDir, { recursive: true, mode: 0o755 })
  await mkdir(stateDir, { recursive: true, mode: 0o755 })
  await mkdir(join(directory.path, 'templates'), { recursive: true, mode: 0o755 })
  const packagesDir = join(directory.path, 'packages')
  const setsDir = join(packagesDir, 'sets')
  await mkdir(packagesDir, { recursive: true, mode: 0o755 })
  // guests find a set by its name and cannot list the others
  await mkdir(setsDir, { recursive: true, mode: 0o711 })

  // a container may have less than its machine
  const machineMb = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 1024 / 1024
  const capMb = Math.floor((machineMb * config.sandboxMemoryPercent) / 100)
  const launcher = await createLauncher({ stateDir, memoryMb: capMb })
  await launcher.sweep()
  const slots = Math.max(32, availableParallelism() * 8)
  const bundles = new BundleStore(join(cacheDir, 'isolate'))
  const forScripts = {
    bundles,
    types: new TypeChecker({ launcher, cacheDir: join(cacheDir, 'isolate'), setsDir }),
  }
  const setBundles = new SetBundles({ launcher, setsDir, directory: bundles.directory })
  const isolate = new IsolateRuntime({
    launcher,
    cacheDir: join(cacheDir, 'isolate'),
    ...forScripts,
    setBundles,
    runsAtOnce: slots + 4,
  })
  const engine = findEngine(config.wasmEdgePath)
  const basePython = await findBasePython(config.python)
  const basedpyright = findBasedpyright()
  const process_ = await createProcessRuntime({
    launcher,
    defaults: defaultRunLimits,
    basePython,
    ...(config.pythonPackages ? { packagesDir: config.pythonPackages } : {}),
    ...forScripts,
    binds: [...engine.binds, ...basedpyright],
    setsDir,
    zygotes: { ahead: { plain: 2, data: 1 }, dataAfterMs: 1_500 },
    live: { ready: 2, limits: defaultSandboxLimits, sessionsAfterMs: 3_000 },
    onFailure: (error) => log.warn({ error }, 'a sandbox could not be made ready'),
  })
  const shells = createShellPool({
    launch: (spec) => launcher.launch(spec),
    spec: shellLaunchSpec({ node: process.execPath }),
  })
  const egress = createEgress({
    allowPrivate: config.allowPrivate.map(toDoor),
    ownListeners: [{ host: config.host, port }, ...(config.publicUrl ? [listenerOf(new URL(config.publicUrl))] : [])],
  })
  const allowances = new Allowances(database, events, (teamId) => waitingMb(teamId) + packages.privateMb(teamId))
  const { sources, browserSource } = createPackageSources({
    ...{
      config: config.packages,
      egress,
      launcher,
      basePython,
      cacheDir: join(cacheDir, 'npm'),
      directory: packagesDir,
    },
    open: (spec) => process_.open(spec),
  })
  const packages = await createPackages({
    ...{ database, events, log, key: options.packagesKey, directory: packagesDir },
    mostBytes: config.packages.mostMb * 1024 * 1024,
    ...{ sources, browserSource, setBundles },
    async checkStorage(teamId, bytes) {
      const { quotas, storedMb } = await allowances.of(teamId)
      checkQuota(quotas, 'storageMb', storedMb + bytes / 1024 / 1024)
    },
  })
  const wasm = createWasmRuntime({ sandboxes: process_, engine })
  const runtimes = [isolate, process_, wasm]
  const templates = new Templates({
    database,
    events,
    blobs,
    packages,
    releaseBlobs,
    directory: join(directory.path, 'templates'),
  })
  const opening: Pick<SandboxesDeps, 'open' | 'createNetwork'> = {
    open: (spec) => process_.open(spec),
    createNetwork: (rules, onSign) => openNetwork(egress, rules, onSign),
  }
  const sandboxes = new Sandboxes({
    database,
    events,
    blobs,
    releaseBlobs,
    log,
    serverId,
    allowances,
    templates,
    packages,
    packagesOfWorkspace: (name) =>
      packagesOfWorkspace({ workspaces, python: process_.language?.('python') ?? {} }, name),
    machine: {
      ...{ capMb, overcommit: config.sandboxOvercommit },
      // where nothing counts them, what is missing on the machine is theirs
      usedMb: () => launcher.usedMb() ?? machineMb - process.availableMemory() / 1024 / 1024,
    },
    ...opening,
  })
  const languageServers = new LanguageServers({
    ...{ sandboxes, workspaces, packages, open: opening.open, log },
    python: basePython.python,
    isInstalled: basedpyright.length > 0,
  })
  const deps = { database, events, blobs, workspaces, bindMore, log, serverId, allowances, sandboxes, packages }
  const runs = new Runs(
    { router: createRouter(runtimes), egress, shells, meter: new Meter(), ...deps },
    { slots, waiting: 2000, waitingPerTeam: 500, waitingBytes: 256_000_000, waitingBytesPerTeam: 64_000_000 },
  )
  const closing = new AbortController()
  const fetchOftenAsked = async () => {
    const { ahead: names } = config.packages
    const source = sources.find(({ language }) => language === 'python')
    if (!source || names.length === 0) return
    const { signal } = closing
    // whoever is there already comes first
    await wait(aheadAfterMs, undefined, { signal })
    await fetchAhead({ source, names, directory: packagesDir, log, signal })
  }
  return {
    runs,
    egress,
    shells,
    sandboxes,
    languageServers,
    sandboxFiles: createSandboxFiles({ sandboxes, blobs, releaseBlobs, allowances }),
    sandboxVerbs: createSandboxVerbs({ database, runs, sandboxes }),
    notebooks: createNotebooks({ database, sandboxes }),
    attachments: createAttachments({ database, blobs, releaseBlobs, allowances, workspaces, sandboxes }),
    templates,
    packages,
    buildTemplate: createTemplateBuilder({ templates, packages, open: opening.open }),
    /** Gets the pools ready; the server answers meanwhile. */
    async warm() {
      try {
        await Promise.all(runtimes.map((runtime) => runtime.warm()))
        await fetchOftenAsked()
      } catch (error) {
        // a server that is stopped while it gets ready has nothing to complain of
        if (!closing.signal.aborted) throw error
      }
    },
    /** After the runs have closed. */
    async close() {
      closing.abort()
      packages.close()
      await languageServers.close()
      await sandboxes.close()
      allowances.close()
      await Promise.all([...runtimes.map((runtime) => runtime.close()), shells.close()])
      await launcher.close()
    },
  }
}

function listenerOf({ hostname, port, protocol }: URL) {
  return { host: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}

/** A door the operator wrote down wrongly must not just stay shut. */
function toDoor(text: string): HostPort {
  const door = parseHostPort(text)
  if (!door)
    throw new StartError('The setting COHEREX_ALLOW_PRIVATE is not valid: it must be host:port, separated by commas')
  return door
}
