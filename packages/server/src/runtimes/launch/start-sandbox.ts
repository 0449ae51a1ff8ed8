import { constants } from 'node:os'
import type { Cgroup } from './cgroups.ts'
import type { Ending, Launched, LaunchSpec } from './launcher.ts'
import type { Exit, Spawned, SpawnerClient } from './spawner-client.ts'
import { watchMemory } from './watch-memory.ts'

export interface Entry {
  spawner: SpawnerClient
  /** Arguments of enter.sh and the program behind them. */
  arguments: string[]
  /** Who to be; undefined stays who the server is. */
  user: { uid: number; gid: number } | undefined
  cgroup: Cgroup | undefined
  limits: LaunchSpec['limits']
  /** Called when no process is left. */
  release(): void
}

/** Starts one sandbox and waits until its namespaces exist, which is when it can be killed precisely. */
export async function startSandbox(entry: Entry): Promise<Launched> {
  const { spawner, cgroup, limits, user, release } = entry
  let spawned: Spawned
  try {
    spawned = await spawner.spawn({
      command: ['/usr/bin/unshare', '--map-root-user', '--mount', '/bin/sh', ...entry.arguments],
      ...(user && { user }),
      cgroupFiles: cgroup?.joinFiles ?? [],
    })
  } catch (error) {
    await cgroup?.remove()
    release()
    throw error
  }
  const { pid, innerPid, stdin, stdout, stderr, channel } = spawned

  let hasExited = false
  let lastMemory: { current: number; peak: number } | undefined
  const killNow = () => {
    if (hasExited) return
    try {
      // the death of a namespace's first process takes all others along, and bwrap outside waits for it
      process.kill(innerPid, 'SIGKILL')
    } catch {
      // gone between the check and the call
    }
  }
  const watcher = cgroup ? undefined : watchMemory(innerPid, limits.memoryMb, killNow)

  const ended: Promise<Ending> = spawned.exited.then(async (exit) => {
    hasExited = true
    const outOfMemory = (cgroup?.oomKills() ?? 0) > 0 || (watcher?.exceeded() ?? false)
    lastMemory = cgroup?.memory() ?? watcher?.memory()
    watcher?.stop()
    await cgroup?.remove()
    release()
    return { ...decodeExit(exit), outOfMemory }
  })

  return {
    pid,
    stdin,
    stdout,
    stderr,
    channel: { read: channel, write: channel },
    memory: () => lastMemory ?? cgroup?.memory() ?? watcher?.memory(),
    limit: ({ memoryMb, processes }) => {
      // dead already: `ended` tells
      if (hasExited) return true
      watcher?.limit(memoryMb)
      return cgroup?.limit({ memoryMb, processes }) ?? true
    },
    oomKills: () => cgroup?.oomKills() ?? 0,
    // bwrap outside, bwrap inside and the program itself
    processes: () => (hasExited ? undefined : cgroup && Math.max(0, cgroup.processes() - 3)),
    async kill() {
      killNow()
      await ended
    },
    ended,
  }
}

// bwrap passes a signal of its program on as 128 + number
function decodeExit({ code, signal }: Exit): Exit {
  if (signal !== null || code === null || code <= 128) return { code, signal }
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0]
  return name ? { code: null, signal: name } : { code, signal }
}
