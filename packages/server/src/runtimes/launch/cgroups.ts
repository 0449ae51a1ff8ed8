import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import {
  type Cgroup,
  type CgroupFiles,
  type CgroupLimits,
  createGroup,
  legacyFiles,
  removeGroups,
  unifiedFiles,
} from './cgroup.ts'
import { tryMake, tryRead, tryRemove, tryWrite } from './kernel-files.ts'
import { isAlive, processTag } from './process-tag.ts'

/** The control groups of this server: one for each sandbox, in one that holds them all. */
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

/** `roots[0]` holds the memory controller, the last one pids, one between them cpu; in v2 they are the same. */
function createGroups(roots: string[], files: CgroupFiles): Cgroups {
  const server = processTag(process.pid)
  const parents = roots.map((root) => join(root, parentName))
  const own = parents.map((parent) => join(parent, server))
  const made = new Set<string>()
  const prepare = () => {
    for (const directory of own) mkdirSync(directory, { recursive: true })
    if (files === unifiedFiles) {
      for (const directory of [...parents, ...own]) {
        writeFileSync(join(directory, 'cgroup.subtree_control'), '+memory +pids')
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
