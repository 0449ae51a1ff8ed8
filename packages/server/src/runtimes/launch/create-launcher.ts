import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CoherexError } from '@coherex/contract'
import { buildFileOnce } from '../build-once.ts'
import { bwrapOptions, limitedCommand } from './bwrap-options.ts'
import type { Cgroup } from './cgroup.ts'
import { type Cgroups, detectCgroups } from './cgroups.ts'
import { diagnose } from './diagnose.ts'
import { prepareEtc } from './guest-root.ts'
import type { Launched, Launcher, LaunchSpec } from './launcher.ts'
import { isAlive, processTag } from './process-tag.ts'
import { unreachable } from './reachable.ts'
import { seccompFilter } from './seccomp/index.ts'
import { createSlots } from './slots.ts'
import { SpawnerClient } from './spawner-client.ts'
import { kernelLimits, startSandbox } from './start-sandbox.ts'
import { startZygote, type Zygote, type ZygoteSpec } from './zygote/index.ts'

export interface LauncherOptions {
  /** A directory for what sandboxes need on the host: filters and a minimal /etc. Made if missing; holds no secret. */
  stateDir: string
  /** First of the user ids that sandboxes get, each its own, when the server is root. */
  uidBase?: number
  /** How many sandboxes may live at once. */
  maxSandboxes?: number
  /** What all sandboxes may use together, where the kernel can hold them to it. */
  memoryMb?: number
  /** For proving what happens without: pretends that this machine has no control groups. */
  withoutCgroups?: boolean
}

// above the ranges that distributions and systemd give out
const defaultUidBase = 0x70000000
const maxZygotes = 64
const home = '/home/guest'
const tools = ['/usr/bin/bwrap', '/usr/bin/unshare', '/usr/bin/prlimit', '/usr/bin/mount', '/bin/sh']
const enterScript = join(import.meta.dirname, 'enter.sh')

/** Prepares what every sandbox shares and proves with a real one that sandboxes work here. */
export async function createLauncher(options: LauncherOptions): Promise<Launcher> {
  const { stateDir, uidBase = defaultUidBase, maxSandboxes = 1024, withoutCgroups = false } = options
  const isRoot = process.getuid?.() === 0
  // a process may have several launchers, and they share its control group
  const mark = randomUUID().slice(0, 8)
  const own = join(stateDir, `${processTag(process.pid)}-${mark}`)
  const paths = { etc: join(own, 'etc'), stage: join(own, 'stage') }
  const slots = createSlots(maxSandboxes)
  const living = new Set<Launched>()
  const starting = new Set<Promise<Launched>>()
  const optionFiles = new Map<string, string>()
  // only this server may connect, in whatever directory the state is
  const spawnerDirectory = join(own, 'spawner')
  const spawner = new SpawnerClient({
    directory: spawnerDirectory,
    script: join(own, 'spawner.mjs'),
  })
  let cgroups: Cgroups | undefined
  let launches = 0
  let zygotes = 0
  const livingZygotes = new Set<Zygote>()
  let isClosed = false
  let reason = missingTools()

  const launch = async (spec: LaunchSpec): Promise<Launched> => {
    if (reason) throw new CoherexError('unavailable', `Cannot start a sandbox: ${reason}`)
    if (isClosed) throw new CoherexError('unavailable', 'Cannot start a sandbox: the launcher is closed')
    for (const { host } of spec.binds) {
      const closed = isRoot ? unreachable(host) : undefined
      if (closed) throw new CoherexError('unavailable', `Cannot start a sandbox: ${closed}`)
    }
    const slot = slots.take()
    if (slot === undefined)
      throw new CoherexError('unavailable', `Cannot start a sandbox: all ${maxSandboxes} are in use`)
    const release = () => slots.release(slot)
    let cgroup: Cgroup | undefined
    let entered: string[]
    try {
      entered = enterArguments(spec)
      cgroup = cgroups?.create(`${mark}-${slot}-${launches++}`, kernelLimits(spec, spec.limits), !spec.isFirst)
    } catch (cause) {
      release()
      throw new CoherexError('unavailable', 'Cannot start a sandbox: its control group could not be made', { cause })
    }
    const user = isRoot ? { uid: uidBase + slot, gid: uidBase + slot } : undefined
    const start = startSandbox({ spawner, arguments: entered, user, cgroup, spec, release })
    starting.add(start)
    try {
      const launched = await start
      living.add(launched)
      void launched.ended.then(() => living.delete(launched))
      return launched
    } finally {
      starting.delete(start)
    }
  }

  const enterArguments = (spec: LaunchSpec): string[] => {
    const { diskMb, inodes } = spec.limits
    const disk = `mode=0755,size=${diskMb}m,nr_inodes=${inodes},nosuid,nodev`
    return [
      enterScript,
      paths.stage,
      disk,
      join(own, `${spec.seccomp}.bpf`),
      optionsFile(spec),
      spec.hasTerminals ? 'terminals' : '',
      ...limitedCommand(spec),
    ]
  }

  const zygotesUnavailable = (): string | undefined => {
    if (reason) return reason
    if (!isRoot) return 'only root can give each fork a user of its own; run the server as root'
    return cgroups ? undefined : 'control groups cannot be written here'
  }

  const loadZygote = async (spec: ZygoteSpec): Promise<Zygote> => {
    const why = isClosed ? 'the launcher is closed' : zygotesUnavailable()
    if (why || !cgroups) throw new CoherexError('unavailable', `Cannot load a zygote: ${why}`)
    const number = zygotes++
    const zygote = await startZygote(spec, {
      ...{ spawner, cgroups, slots, mark, number, ...paths },
      filters: { heard: join(own, 'guest-heard.bpf'), plain: join(own, 'guest.bpf') },
      // above the sandboxes' own; those of zygotes that ended long ago are used again
      users: { own: uidBase + maxSandboxes + (number % maxZygotes), first: uidBase, count: maxSandboxes },
    })
    livingZygotes.add(zygote)
    void zygote.ended.then(() => livingZygotes.delete(zygote))
    return {
      ...zygote,
      async fork(limits, forkOptions) {
        if (isClosed) throw new CoherexError('unavailable', 'Cannot start a sandbox: the launcher is closed')
        const launched = await zygote.fork(limits, forkOptions)
        living.add(launched)
        void launched.ended.then(() => living.delete(launched))
        return launched
      },
    }
  }

  // equal specs share one file: a pool of a thousand sandboxes writes it once
  const optionsFile = (spec: LaunchSpec): string => {
    const bytes = bwrapOptions(spec, paths)
      .map((option) => `${option}\0`)
      .join('')
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    const known = optionFiles.get(hash)
    if (known) return known
    const file = join(own, `${hash}.options`)
    writeFileSync(file, bytes, { mode: 0o644 })
    optionFiles.set(hash, file)
    return file
  }

  const close = async () => {
    isClosed = true
    await Promise.allSettled(starting)
    await Promise.all([...livingZygotes].map((zygote) => zygote.kill()))
    await Promise.all([...living].map((launched) => launched.kill()))
    await spawner.close()
    await cgroups?.close()
    rmSync(own, { recursive: true, force: true })
  }

  if (!reason) {
    for (const directory of [stateDir, own, paths.stage]) mkdirSync(directory, { recursive: true, mode: 0o755 })
    // whatever the umask was: the sandbox's user has to get here, and nothing here is secret
    for (const directory of [stateDir, own, paths.stage]) chmodSync(directory, 0o755)
    mkdirSync(spawnerDirectory, { mode: 0o700 })
    prepareEtc(paths.etc, home)
    await compileSpawner(join(own, 'spawner.mjs'))
    const machine = process.arch === 'arm64' ? 'arm64' : 'x64'
    for (const profile of ['guest', 'ahead', 'isolate'] as const) {
      writeFileSync(join(own, `${profile}.bpf`), seccompFilter(profile, machine), { mode: 0o644 })
    }
    writeFileSync(join(own, 'guest-heard.bpf'), seccompFilter('guest', machine, { isHeard: true }), { mode: 0o644 })
    cgroups = withoutCgroups ? undefined : detectCgroups()
    if (options.memoryMb !== undefined) cgroups?.cap(options.memoryMb)
    const closed = isRoot ? (unreachable(own) ?? unreachable(enterScript)) : undefined
    reason = closed ?? (await tryOne(launch))
    if (reason) {
      await spawner.close()
      await cgroups?.close()
    }
  }

  return {
    unavailable: () => reason,
    weakness: () => {
      if (reason || cgroups) return undefined
      return 'control groups cannot be written here: memory is watched every 100 ms and processes are counted per user, which a fast guest can overrun; run the server as root or with a delegated cgroup'
    },
    launch,
    usedMb: () => cgroups?.usedMb(),
    zygotesUnavailable,
    startZygote: loadZygote,
    directory(name) {
      const path = join(own, name)
      mkdirSync(path, { recursive: true, mode: 0o755 })
      chmodSync(path, 0o755)
      return path
    },
    async sweep() {
      await cgroups?.sweep()
      for (const name of existsSync(stateDir) ? readdirSync(stateDir) : []) {
        const tag = /^(\d+\.\d+)-[0-9a-f]{8}$/.exec(name)?.[1]
        if (tag && !isAlive(tag)) rmSync(join(stateDir, name), { recursive: true, force: true })
      }
    },
    close,
  }
}

function missingTools(): string | undefined {
  if (process.platform !== 'linux') return 'sandboxes need Linux'
  if (process.arch !== 'x64' && process.arch !== 'arm64') return `sandboxes are not supported on ${process.arch}`
  const missing = tools.filter((tool) => !existsSync(tool))
  return missing.length === 0
    ? undefined
    : `${missing.join(', ')} is missing; run: apt-get install -y bubblewrap util-linux`
}

/** From its source it would hold a compiler in memory for as long as it lives. */
async function compileSpawner(outfile: string): Promise<void> {
  const source = join(import.meta.dirname, 'spawner.ts')
  const options = { bundle: true, platform: 'node', format: 'esm', target: 'node24' } as const
  writeFileSync(outfile, await buildFileOnce('spawner.mjs', { entryPoints: [source], ...options }))
}

/** Nothing that is only read about a machine says whether sandboxes work on it. */
async function tryOne(launch: Launcher['launch']): Promise<string | undefined> {
  try {
    const limits = { memoryMb: 64, processes: 8, openFiles: 64, diskMb: 1, inodes: 64 }
    const launched = await launch({
      argv: ['/usr/bin/true'],
      binds: [],
      env: {},
      home,
      readOnly: false,
      limits,
      seccomp: 'guest',
    })
    let stderr = ''
    launched.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8').slice(0, 1000)))
    const ending = await launched.ended
    return ending.code === 0 ? undefined : diagnose(stderr)
  } catch (error) {
    return diagnose(error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error))
  }
}
