import { writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { CoherexError } from '@coherex/contract'
import { encodeFrame } from '../../protocol/index.ts'
import { ownProcesses as ofBwrap } from '../bwrap-options.ts'
import type { Cgroup, CgroupLimits } from '../cgroup.ts'
import type { Cgroups } from '../cgroups.ts'
import type { Launched, LaunchSpec } from '../launcher.ts'
import { syscallName } from '../seccomp/index.ts'
import type { Slots } from '../slots.ts'
import { kernelLimits } from '../start-sandbox.ts'
import { type Exit, signalName, superviseSandbox } from '../supervise-sandbox.ts'
import { findChildren } from './find-children.ts'
import type { ForkOrder, LinkOrder, ZygoteSpec } from './zygote.ts'

/** A guest's place in what the zygote reports. */
export interface Waiting {
  /** As the zygote knows them: the guest, and the first process of its namespaces. */
  forked(pids: { pid: number; first: number }): void
  failed(reason: string): void
  /** By the number of the call, before the guest goes on. */
  denied(call: number): void
  exited(exit: Exit): void
}

export interface Fork {
  id: number
  /** Of its control group. */
  name: string
  limits: LaunchSpec['limits']
  spec: Pick<ZygoteSpec, 'isFirst' | 'hasTerminals' | 'countsFilesApart'>
  cgroups: Cgroups
  slots: Slots
  /** Host pid of the zygote. */
  zygote: number
  waiting: Map<number, Waiting>
  connect(): Socket
  /** Whether the guest gets a second socket, in place of its standard input. */
  hasLink: boolean
}

const gate = '!'
const machine = process.arch === 'arm64' ? 'arm64' : 'x64'

/** Has the zygote forked, puts the fork into a control group of its own, and only then lets it go on. */
export async function forkGuest({
  id,
  name,
  limits,
  spec,
  cgroups,
  slots,
  zygote,
  waiting,
  connect,
  hasLink,
}: Fork): Promise<Launched> {
  const slot = slots.take()
  if (slot === undefined) throw new CoherexError('unavailable', 'Cannot start a sandbox: all are in use')
  // the driver; what may be the first of its namespaces in its stead counts as the zygote's
  const ownProcesses = 1
  // a control group leaves room for bubblewrap's processes, of which there are more
  const fewer = (bounds: CgroupLimits): CgroupLimits => {
    const { memoryMb, processes } = kernelLimits({ countsFilesApart: spec.countsFilesApart ?? false, limits }, bounds)
    return { memoryMb, processes: processes - (ofBwrap - ownProcesses) }
  }
  let cgroup: Cgroup | undefined
  let channel: Socket | undefined
  let link: Socket | undefined
  const denials: string[] = []
  const denied = (call: number) => void denials.push(syscallName(call, machine))
  let exited = (_: Exit) => {}
  const exit = new Promise<Exit>((resolve) => (exited = resolve))
  try {
    cgroup = cgroups.create(name, fewer(limits), !spec.isFirst)
    // first: the zygote takes connections in the order they come
    if (hasLink) {
      link = connect()
      link.on('error', () => {})
      link.write(encodeFrame({ linkOf: id } satisfies LinkOrder))
    }
    const opened = connect()
    channel = opened
    // a guest that dies breaks its pipe: its end is told by `exited`
    opened.on('error', () => {})
    const inner = await new Promise<{ pid: number; first: number }>((forked, reject) => {
      waiting.set(id, { forked, denied, exited, failed: (reason) => reject(new Error(reason)) })
      opened.once('error', reject)
      opened.write(encodeFrame({ ...toOrder(id, slot, limits, spec), hasLink }))
    })
    const [pid = 0, innerPid = 0] = findChildren(zygote, [inner.pid, inner.first])
    // the kernel lets a process in once every core has been heard of, which can take it milliseconds
    await Promise.all(cgroup.joinFiles.map((file) => writeFile(file, String(pid))))
    opened.write(gate)
    return superviseSandbox({
      ...{ pid, innerPid, channel: opened, exited: exit, cgroup, ownProcesses, denials },
      // what a program reads and writes goes through its driver
      ...{ stdin: link ?? new PassThrough(), stdout: Readable.from([]), stderr: Readable.from([]) },
      memoryMb: limits.memoryMb,
      kernelLimits: fewer,
      release: () => slots.release(slot),
    })
  } catch (cause) {
    waiting.delete(id)
    // without its gate it ends by itself
    channel?.destroy()
    link?.destroy()
    await cgroup?.remove()
    slots.release(slot)
    throw new CoherexError('unavailable', 'Cannot start a sandbox: the zygote could not be forked', { cause })
  }
}

function toOrder(
  id: number,
  slot: number,
  limits: LaunchSpec['limits'],
  spec: Fork['spec'],
): Omit<ForkOrder, 'hasLink'> {
  const { diskMb, inodes, openFiles, processes } = limits
  return {
    id,
    // 0 is the zygote itself
    user: slot + 1,
    disk: `mode=0755,size=${diskMb}m,nr_inodes=${inodes}`,
    limits: {
      ...{ CORE: 0, MEMLOCK: 65536, MSGQUEUE: 0, SIGPENDING: 1024, NOFILE: openFiles },
      // a little over the disk, so that a full disk says so before this limit ends the process
      FSIZE: (diskMb + 1) * 1024 * 1024,
      NPROC: processes + (spec.isFirst ? 1 : 2),
      ...(limits.cpuSeconds !== undefined && { CPU: limits.cpuSeconds }),
    },
    hasTerminals: spec.hasTerminals ?? false,
  }
}

/** How a process ended, from what waitid() says of it. */
export function toExit({ code, signal }: { code?: number; signal?: number }): Exit {
  return { code: code ?? null, signal: signal === undefined ? null : (signalName(signal) ?? 'SIGKILL') }
}
