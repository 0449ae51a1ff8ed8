import { mkdir } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
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
import { createEgress, parseHostPort, type HostPort } from './egress/index.ts'
import {
  createSandboxFiles,
  createSandboxVerbs,
  createTemplateBuilder,
  defaultRunLimits,
  defaultSandboxLimits,
  Allowances,
  Meter,
  Runs,
  Sandboxes,
  type SandboxesDeps,
  Templates,
  openNetwork,
} from './runs/index.ts'
import {
  BundleStore,
  createLauncher,
  createProcessRuntime,
  createRouter,
  createWasmRuntime,
  findEngine,
  IsolateRuntime,
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
  log: Log
  serverId: string
  port: number
}

/** Builds what executes code, from the launcher up. Without a sandbox it still answers, and refuses every run. */
export async function createRuns(options: RunsOptions) {
  const { config, directory, database, events, blobs, releaseBlobs, waitingMb } = options
  const { workspaces, log, serverId, port } = options
  const cacheDir = join(directory.path, 'cache')
  const stateDir = join(directory.path, 'sandboxes')
  // sandboxes run as other users, who read what is in here
  await mkdir(cacheDir, { recursive: true, mode: 0o755 })
  await mkdir(stateDir, { recursive: true, mode: 0o755 })
  await mkdir(join(directory.path, 'templates'), { recursive: true, mode: 0o755 })

  // a container may have less than its machine
  const machineMb = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 1024 / 1024
  const capMb = Math.floor((machineMb * config.sandboxMemoryPercent) / 100)
  const launcher = await createLauncher({ stateDir, memoryMb: capMb })
  await launcher.sweep()
  const slots = Math.max(32, availableParallelism() * 8)
  const forScripts = {
    bundles: new BundleStore(join(cacheDir, 'isolate')),
    types: new TypeChecker({ launcher, cacheDir: join(cacheDir, 'isolate') }),
  }
  const isolate = new IsolateRuntime({
    launcher,
    cacheDir: join(cacheDir, 'isolate'),
    ...forScripts,
    runsAtOnce: slots + 4,
  })
  const engine = findEngine(config.wasmEdgePath)
  const process_ = await createProcessRuntime({
    launcher,
    defaults: defaultRunLimits,
    ...(config.pythonPackages ? { packagesDir: config.pythonPackages } : {}),
    ...forScripts,
    binds: engine.binds,
    zygotes: { ahead: { plain: 2, data: 1 }, dataAfterMs: 1_500 },
    live: { ready: 2, limits: defaultSandboxLimits },
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
  const wasm = createWasmRuntime({ sandboxes: process_, engine })
  const runtimes = [isolate, process_, wasm]
  const allowances = new Allowances(database, events, waitingMb)
  const templates = new Templates({
    database,
    events,
    blobs,
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
    machine: {
      ...{ capMb, overcommit: config.sandboxOvercommit },
      // where nothing counts them, what is missing on the machine is theirs
      usedMb: () => launcher.usedMb() ?? machineMb - process.availableMemory() / 1024 / 1024,
    },
    ...opening,
  })
  const deps = { database, events, blobs, workspaces, log, serverId, allowances, sandboxes }
  const runs = new Runs(
    { router: createRouter(runtimes), egress, shells, meter: new Meter(), ...deps },
    { slots, waiting: 2000, waitingPerTeam: 500, waitingBytes: 256_000_000, waitingBytesPerTeam: 64_000_000 },
  )
  let isClosing = false
  return {
    runs,
    egress,
    shells,
    sandboxes,
    sandboxFiles: createSandboxFiles({ sandboxes, blobs, releaseBlobs, allowances }),
    sandboxVerbs: createSandboxVerbs({ database, runs, sandboxes }),
    templates,
    buildTemplate: createTemplateBuilder({ templates, blobs, allowances, ...opening }),
    /** Gets the pools ready; the server answers meanwhile. */
    async warm() {
      try {
        await Promise.all(runtimes.map((runtime) => runtime.warm()))
      } catch (error) {
        // a server that is stopped while it gets ready has nothing to complain of
        if (!isClosing) throw error
      }
    },
    /** After the runs have closed. */
    async close() {
      isClosing = true
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
