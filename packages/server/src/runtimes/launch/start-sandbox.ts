import { ownProcesses } from './bwrap-options.ts'
import type { Cgroup, CgroupLimits } from './cgroup.ts'
import type { Launched, LaunchSpec } from './launcher.ts'
import type { Spawned, SpawnerClient } from './spawner-client.ts'
import { superviseSandbox } from './supervise-sandbox.ts'

export interface Entry {
  spawner: SpawnerClient
  /** Arguments of enter.sh and the program behind them. */
  arguments: string[]
  /** Who to be; undefined stays who the server is. */
  user: { uid: number; gid: number } | undefined
  cgroup: Cgroup | undefined
  spec: LaunchSpec
  /** Called when no process is left. */
  release(): void
}

/** Starts one sandbox and waits until its namespaces exist, which is when it can be killed precisely. */
export async function startSandbox(entry: Entry): Promise<Launched> {
  const { spawner, cgroup, spec, user, release } = entry
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
  return superviseSandbox({
    ...spawned,
    cgroup,
    memoryMb: spec.limits.memoryMb,
    kernelLimits: (limits) => kernelLimits(spec, limits),
    // bwrap outside, bwrap inside unless the program takes its place, and prlimit that becomes the program
    ownProcesses: spec.isFirst ? ownProcesses - 1 : ownProcesses,
    release,
  })
}

/** What the kernel is told: files in memory count as memory to it. */
export function kernelLimits(
  spec: Pick<LaunchSpec, 'countsFilesApart' | 'limits'>,
  { memoryMb, processes }: CgroupLimits,
): CgroupLimits {
  return { memoryMb: spec.countsFilesApart ? memoryMb + spec.limits.diskMb : memoryMb, processes }
}
