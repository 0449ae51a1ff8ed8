import { constants } from 'node:os'
import type { Duplex, Readable, Writable } from 'node:stream'
import type { Cgroup, CgroupLimits } from './cgroup.ts'
import type { Ending, Launched } from './launcher.ts'
import { watchMemory } from './watch-memory.ts'

export interface Exit {
  code: number | null
  signal: string | null
  /** It died with the process of ours that it came from, and not of what it did. */
  isLost?: true
}

export interface Running {
  pid: number
  /** Host pid of the sandbox's first process, whose end is the end of all in it. */
  innerPid: number
  stdin: Duplex
  stdout: Readable
  stderr: Readable
  channel: Readable & Writable
  exited: Promise<Exit>
  cgroup: Cgroup | undefined
  memoryMb: number
  /** What the control group is told when limits are set anew. */
  kernelLimits(limits: CgroupLimits): CgroupLimits
  /** Processes that are there without the guest's doing. */
  ownProcesses: number
  /** Grows while it runs; left out where nobody hears of them. */
  denials?: readonly string[]
  /** Called when no process is left. */
  release(): void
}

/** Watches over a sandbox that runs: its limits, its end, and what it leaves on the host. */
export function superviseSandbox(running: Running): Launched {
  const { pid, innerPid, stdin, stdout, stderr, channel, cgroup, memoryMb, ownProcesses, release } = running
  let hasExited = false
  let lastMemory: { current: number; peak: number } | undefined
  let lastKills = 0
  const killNow = () => {
    if (hasExited) return
    try {
      // the death of a namespace's first process takes all others along, and whoever started it waits for that
      process.kill(innerPid, 'SIGKILL')
    } catch {
      // gone between the check and the call
    }
  }
  const watcher = cgroup ? undefined : watchMemory(innerPid, memoryMb, killNow)

  const ended: Promise<Ending> = running.exited.then(async (exit) => {
    hasExited = true
    // the group that counted them goes with it
    lastKills = cgroup?.oomKills() ?? 0
    const outOfMemory = lastKills > 0 || (watcher?.exceeded() ?? false)
    lastMemory = cgroup?.memory() ?? watcher?.memory()
    watcher?.stop()
    await cgroup?.remove()
    release()
    return { ...decodeExit(exit), ...(exit.isLost && { isLost: exit.isLost }), outOfMemory }
  })

  return {
    pid,
    stdin,
    stdout,
    stderr,
    channel: { read: channel, write: channel },
    memory: () => lastMemory ?? cgroup?.memory() ?? watcher?.memory(),
    processMemory: () => cgroup?.processMemory(),
    askedMemory: () => cgroup?.askedMemory(),
    killLargest: (overBytes) => cgroup?.killLargest(overBytes, [pid, innerPid]) ?? false,
    endBeforeFirst: (pidInside) => cgroup?.endBefore(innerPid, pidInside),
    limit: (limits) => {
      // dead already: `ended` tells
      if (hasExited) return true
      watcher?.limit(limits.memoryMb)
      return cgroup?.limit(running.kernelLimits(limits)) ?? true
    },
    denials: () => running.denials ?? [],
    oomKills: () => (hasExited ? lastKills : (cgroup?.oomKills() ?? 0)),
    processes: () => (hasExited ? undefined : cgroup && Math.max(0, cgroup.processes().length - ownProcesses)),
    async kill() {
      killNow()
      await ended
    },
    ended,
  }
}

// a sandbox's first process passes a signal of its program on as 128 + number
function decodeExit({ code, signal }: Exit): Exit {
  if (signal !== null || code === null || code <= 128) return { code, signal }
  const name = signalName(code - 128)
  return name ? { code: null, signal: name } : { code, signal }
}

export function signalName(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, known]) => known === number)?.[0]
}
