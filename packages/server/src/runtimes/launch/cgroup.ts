import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ownProcesses } from './bwrap-options.ts'
import { readNumber, tryRead, tryRemove, tryWrite } from './kernel-files.ts'
import { type Member, readAskedBytes, readMember, readPidInside } from './read-member.ts'

/** Bounds one sandbox: what it uses counts as one, however many processes it has. */
export interface Cgroup {
  /** Writing a pid to each of these puts the process in. */
  readonly joinFiles: string[]
  /** False when more is in use already. */
  limit(limits: CgroupLimits): boolean
  memory(): { current: number; peak: number } | undefined
  /** Bytes of processes alone, without files in memory. */
  processMemory(): number | undefined
  /** Bytes that the process which asked for most has asked for, whether it was given them yet or not. */
  askedMemory(): number
  processes(): number[]
  /** Where processes hold more, ends the one with most that is not among `spared`; none while another is still being ended. */
  killLargest(overBytes: number, spared: number[]): boolean
  /** When memory is short, the kernel ends this one, by its pid inside, and what comes from it, before `kept`, however large that is. */
  endBefore(kept: number, pidInside: number): void
  /** Processes the kernel ended here for lack of memory. */
  oomKills(): number
  /** Ends whatever is still in it, then removes it. */
  remove(): Promise<void>
}

export interface CgroupLimits {
  memoryMb: number
  processes: number
}

/** How one version of control groups calls its files. */
export interface CgroupFiles {
  memoryLimit: [string, ...string[]]
  current: string
  peak: string
  events: string
  /** Lines of memory.stat: memory of processes, and files in memory, of a group and all below it. */
  inUse: [string, string]
  /** The weight of a group beside its neighbours, and that of an ordinary process in the same terms. */
  cpuWeight: { file: string; ofOne: number; most: number }
  /** Written once, ends all processes of the group; v2 only. */
  kill?: string
}

// as the kernel counts pages; where its own are larger, the score is only higher than need be
const pageBytes = 4096

export const unifiedFiles: CgroupFiles = {
  memoryLimit: ['memory.max'],
  current: 'memory.current',
  peak: 'memory.peak',
  events: 'memory.events',
  inUse: ['anon', 'shmem'],
  cpuWeight: { file: 'cpu.weight', ofOne: 100, most: 10_000 },
  kill: 'cgroup.kill',
}

// memory and swap together, so that the limit cannot be dodged into swap; absent where swap is not accounted
export const legacyFiles: CgroupFiles = {
  memoryLimit: ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes'],
  current: 'memory.usage_in_bytes',
  peak: 'memory.max_usage_in_bytes',
  events: 'memory.oom_control',
  inUse: ['total_rss', 'total_shmem'],
  cpuWeight: { file: 'cpu.shares', ofOne: 1024, most: 262_144 },
}

/** The group in these directories: the first holds the memory controller, the last one pids; in v2 they are the same. */
export function createGroup(directories: string[], files: CgroupFiles, onRemoved: () => void): Cgroup {
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
      writeFileSync(join(pids, 'pids.max'), String(limits.processes + ownProcesses))
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
    askedMemory: () => Math.max(0, ...processesIn(pids).map(readAskedBytes)),
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
      // forks of a spared one share what it has, mostly with a zygote, and would count for that
      const shared = new Map(spared.flatMap(readMember).map(({ stack, pages }) => [stack, pages]))
      const own = (member: Member) => member.pages - (shared.get(member.stack) ?? 0)
      const largest = candidates.toSorted((one, other) => own(other) - own(one))[0]
      if (!largest) return false
      lastEnded = largest.name
      kill(largest.pid)
      return true
    },
    endBefore(kept, pidInside) {
      // the youngest are the last, and mostly those that are looked for
      const pid = processesIn(pids).findLast((one) => one !== kept && readPidInside(one) === pidInside)
      const pages = readMember(kept)[0]?.pages
      if (pid === undefined || pages === undefined || !taken) return
      // in thousandths of the limit; twice, since the one to be kept grows with what it keeps
      const score = Math.ceil((2 * pages * pageBytes * 1000) / (taken.memoryMb * 1024 * 1024))
      tryWrite(`/proc/${pid}/oom_score_adj`, String(Math.min(1000, score)))
    },
    oomKills,
    async remove() {
      await removeGroups(directories, files)
      onRemoved()
    },
  }
}

/** Ends what is in them, until they can be removed. */
export async function removeGroups(directories: string[], files: CgroupFiles): Promise<void> {
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

function killAll(directory: string, files: CgroupFiles): void {
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
