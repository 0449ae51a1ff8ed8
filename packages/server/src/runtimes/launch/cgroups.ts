import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ownProcesses } from './bwrap-options.ts'
import { isAlive, processTag } from './process-tag.ts'
import { readMember } from './read-member.ts'

/** Bounds one sandbox: what it uses counts as one, however many processes it has. */
export interface Cgroup {
  /** Writing a pid to each of these puts the process in. */
  readonly joinFiles: string[]
  /** False when more is in use already. */
  limit(limits: CgroupLimits): boolean
  memory(): { current: number; peak: number } | undefined
  /** Bytes of processes alone, without files in memory. */
  processMemory(): number | undefined
  processes(): number[]
  /** Where processes hold more, ends the one with most that is not among `spared`; none while another is still being ended. */
  killLargest(overBytes: number, spared: number[]): boolean
  /** Processes the kernel ended here for lack of memory. */
  oomKills(): number
  /** Ends whatever is still in it, then removes it. */
  remove(): Promise<void>
}

export interface CgroupLimits {
  memoryMb: number
  processes: number
}

export interface Cgroups {
  /** With `endsAsOne`, where the kernel can, lack of memory ends all processes of it together. */
  create(name: string, limits: CgroupLimits, endsAsOne: boolean): Cgroup
  /** Bounds all groups of this process together. */
  cap(memoryMb: number): void
  /** What they use together: memory of processes and files in memory, without what the kernel can give up. */
  usedMb(): number | undefined
  /** Removes groups whose server is gone, and ends what still runs in them. */
  sweep(): Promise<void>
  /** Removes this server's own, by then empty, group. */
  close(): Promise<void>
}

const parentName = 'coherex'

/** The control groups this process may write: v2, or v1, with memory and pids and, where it is there, cpu; undefined where neither can be used. */
export function detectCgroups(mounts: string = readFileSync('/proc/self/mounts', 'utf8')): Cgroups | undefined {
  const found = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([, path, type, options]) => (path && type ? [{ path, type, options: options?.split(',') ?? [] }] : []))
  const unified = found.find((mount) => mount.type === 'cgroup2')?.path
  if (unified && enableControllers(unified)) return createGroups([unified], unifiedFiles)
  const [memory, cpu, pids] = ['memory', 'cpu', 'pids'].map(
    (name) => found.find((mount) => mount.type === 'cgroup' && mount.options.includes(name))?.path,
  )
  if (!memory || !pids || ![memory, pids].every(isWritable)) return undefined
  return createGroups([memory, ...(cpu && isWritable(cpu) ? [cpu] : []), pids], legacyFiles)
}

interface Files {
  memoryLimit: [string, ...string[]]
  current: string
  peak: string
  events: string
  /** Lines of memory.stat: memory of processes, and files in memory, of a group and all below it. */
  inUse: [string, string]
  /** The weight of a group beside its neighbours, and that of an ordinary process in the kernel's own terms. */
  cpuWeight: { file: string; ofOne: number; most: number }
  /** Written once, ends all processes of the group; v2 only. */
  kill?: string
}

const unifiedFiles: Files = {
  memoryLimit: ['memory.max'],
  current: 'memory.current',
  peak: 'memory.peak',
  events: 'memory.events',
  inUse: ['anon', 'shmem'],
  cpuWeight: { file: 'cpu.weight', ofOne: 100, most: 10_000 },
  kill: 'cgroup.kill',
}

// memory and swap together, so that the limit cannot be dodged into swap; absent where swap is not accounted
const legacyFiles: Files = {
  memoryLimit: ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes'],
  current: 'memory.usage_in_bytes',
  peak: 'memory.max_usage_in_bytes',
  events: 'memory.oom_control',
  inUse: ['total_rss', 'total_shmem'],
  cpuWeight: { file: 'cpu.shares', ofOne: 1024, most: 262_144 },
}

/** `roots[0]` holds the memory controller, the last one pids, one between them cpu; in v2 they are the same. */
function createGroups(roots: string[], files: Files): Cgroups {
  const server = processTag(process.pid)
  const parents = roots.map((root) => join(root, parentName))
  const own = parents.map((parent) => join(parent, server))
  const made = new Set<string>()
  const prepare = () => {
    for (const directory of own) mkdirSync(directory, { recursive: true })
    if (files === unifiedFiles) {
      for (const directory of [...parents, ...own]) {
        write(join(directory, 'cgroup.subtree_control'), '+memory +pids')
        tryWrite(join(directory, 'cgroup.subtree_control'), '+cpu')
      }
    }
    weigh()
  }
  // all sandboxes together weigh as much as one busy process for each core, and each of them as much as any other, however many
  // processes it has: the server comes to its turn, and so do neighbours
  const weigh = () => {
    const { file, ofOne, most } = files.cpuWeight
    const weight = String(Math.min(most, ofOne * availableParallelism()))
    for (const directory of [...parents, ...own]) tryWrite(join(directory, file), weight)
  }
  let capMb: number | undefined
  const limitAll = () => {
    if (capMb === undefined) return
    for (const file of files.memoryLimit) tryWrite(join(own[0] ?? '', file), String(capMb * 1024 * 1024))
  }
  prepare()

  return {
    create(name, limits, endsAsOne) {
      // another launcher of this process has closed, when this one had none in it
      if (!own.every((directory) => existsSync(directory))) {
        prepare()
        limitAll()
      }
      made.add(name)
      const directories = own.map((directory) => join(directory, name))
      for (const directory of directories) mkdirSync(directory)
      const group = createGroup(directories, files, () => made.delete(name))
      if (!group.limit(limits)) throw new Error('The memory limit was not taken')
      if (files === unifiedFiles) {
        tryWrite(join(directories[0] ?? '', 'memory.swap.max'), '0')
        if (endsAsOne) tryWrite(join(directories[0] ?? '', 'memory.oom.group'), '1')
      }
      return group
    },
    cap(memoryMb) {
      capMb = memoryMb
      limitAll()
    },
    usedMb() {
      const text = tryRead(join(own[0] ?? '', 'memory.stat'))
      const [processes = '', shared = ''] = files.inUse.map(
        (name) => new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1],
      )
      return processes && shared ? (Number(processes) + Number(shared)) / 1024 / 1024 : undefined
    },
    async sweep() {
      for (const parent of parents) {
        for (const tag of childrenOf(parent)) {
          if (isAlive(tag)) continue
          for (const name of childrenOf(join(parent, tag))) await removeGroups([join(parent, tag, name)], files)
          await removeGroups([join(parent, tag)], files)
        }
      }
    },
    async close() {
      for (const directory of own) {
        for (const name of made) await removeGroups([join(directory, name)], files)
      }
      // another launcher or another server may still have groups in there: then it stays
      for (const directory of [...own, ...parents]) tryRemove(directory)
    },
  }
}

function createGroup(directories: string[], files: Files, onRemoved: () => void): Cgroup {
  const memory = directories[0] ?? ''
  const pids = directories.at(-1) ?? ''
  const oomKills = () => Number(/^oom_kill (\d+)$/m.exec(tryRead(join(memory, files.events)))?.[1] ?? 0)
  const processMemory = () => {
    const anonymous = /^(?:anon|rss) (\d+)$/m.exec(tryRead(join(memory, 'memory.stat')))?.[1]
    return anonymous === undefined ? undefined : Number(anonymous)
  }
  let lastEnded = ''
  let settledKills = 0
  let taken: CgroupLimits | undefined
  return {
    joinFiles: directories.map((directory) => join(directory, 'cgroup.procs')),
    limit(limits) {
      // one that was made ahead of need has the limits of most programs
      if (taken?.memoryMb === limits.memoryMb && taken.processes === limits.processes) return true
      // memory may not be over memory and swap together: raising needs the second first, lowering the first
      const bytes = String(limits.memoryMb * 1024 * 1024)
      for (const file of [...files.memoryLimit, ...files.memoryLimit]) tryWrite(join(memory, file), bytes)
      write(join(pids, 'pids.max'), String(limits.processes + ownProcesses))
      const isTaken = tryRead(join(memory, files.memoryLimit[0])).trim() === bytes
      taken = isTaken ? limits : undefined
      return isTaken
    },
    memory() {
      const current = readNumber(join(memory, files.current))
      if (current === undefined) return undefined
      // memory.peak came with Linux 5.19
      return { current, peak: readNumber(join(memory, files.peak)) ?? current }
    },
    processMemory,
    processes: () => processesIn(pids),
    killLargest(overBytes, spared) {
      const candidates = processesIn(pids).flatMap((pid) => (spared.includes(pid) ? [] : readMember(pid)))
      // its memory counts until it has run for the last time: on a busy machine another would be ended in its place
      if (candidates.some((member) => member.name === lastEnded)) return false
      // those that the kernel ended are told by number only; whatever else a guest ends itself is no reason to wait
      const kills = oomKills()
      if (kills > settledKills && candidates.some((member) => member.isBeingEnded)) return false
      settledKills = kills
      // read after it is certain that nobody is on the way out
      if ((processMemory() ?? 0) <= overBytes) return false
      const largest = candidates.toSorted((one, other) => other.pages - one.pages)[0]
      if (!largest) return false
      lastEnded = largest.name
      kill(largest.pid)
      return true
    },
    oomKills,
    async remove() {
      await removeGroups(directories, files)
      onRemoved()
    },
  }
}

async function removeGroups(directories: string[], files: Files): Promise<void> {
  const left = new Set(directories)
  for (let attempt = 0; attempt < 1000; attempt++) {
    for (const directory of left) {
      if (tryRemove(directory)) left.delete(directory)
      else killAll(directory, files)
    }
    if (left.size === 0) return
    await wait(Math.min(1 + attempt, 10))
  }
}

function killAll(directory: string, files: Files): void {
  if (files.kill && tryWrite(join(directory, files.kill), '1')) return
  for (const pid of processesIn(directory)) kill(pid)
}

function processesIn(directory: string): number[] {
  return tryRead(join(directory, 'cgroup.procs')).split('\n').filter(Boolean).map(Number)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // already gone
  }
}

/** Makes memory and pids usable below `root`, moving this process aside where the kernel wants the group empty. */
function enableControllers(root: string): boolean {
  const control = join(root, 'cgroup.subtree_control')
  const has = (file: string) => ['memory', 'pids'].every((name) => tryRead(file).split(/\s/).includes(name))
  if (!has(join(root, 'cgroup.controllers'))) return false
  if (!has(control) && !tryWrite(control, '+memory +pids')) {
    // in a container the root holds our own processes; they may not sit beside groups with controllers
    if (!/^0::\/$/m.test(tryRead('/proc/self/cgroup'))) return false
    const aside = join(root, `${parentName}-server`)
    if (!tryMake(aside)) return false
    for (const pid of tryRead(join(root, 'cgroup.procs')).split('\n').filter(Boolean)) {
      tryWrite(join(aside, 'cgroup.procs'), pid)
    }
    if (!tryWrite(control, '+memory +pids')) return false
    // only here, where all groups are ours: for a whole machine its own administration decides
    tryWrite(control, '+cpu')
  }
  return isWritable(root)
}

function isWritable(root: string): boolean {
  const parent = join(root, parentName)
  if (!tryMake(parent)) return false
  try {
    // there already, it may be another user's
    accessSync(parent, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function childrenOf(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
}

function write(file: string, text: string): void {
  writeFileSync(file, text)
}

function tryWrite(file: string, text: string): boolean {
  try {
    // never creates: in a control group every file that can be written is already there
    writeFileSync(file, text, { flag: 'r+' })
    return true
  } catch {
    return false
  }
}

function tryRead(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function readNumber(file: string): number | undefined {
  const text = tryRead(file).trim()
  return /^\d+$/.test(text) ? Number(text) : undefined
}

function tryMake(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true })
    return true
  } catch {
    return false
  }
}

function tryRemove(directory: string): boolean {
  try {
    rmdirSync(directory)
    return true
  } catch {
    return !existsSync(directory)
  }
}
