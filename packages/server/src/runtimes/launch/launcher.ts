import type { Duplex, Readable, Writable } from 'node:stream'
import type { Profile } from './seccomp/index.ts'
import type { Zygote, ZygoteSpec } from './zygote/index.ts'

/** One program in its own namespaces, as another user, with nothing of the host but what `binds` names. */
export interface LaunchSpec {
  /** Absolute path inside, and arguments. Visible to the guest. */
  argv: string[]
  /** Directories and files of the host shown read-only inside, on top of /usr and a minimal /etc. */
  binds: { host: string; guest: string }[]
  /** Links of the root, on top of those of the system. */
  links?: readonly { path: string; target: string }[]
  /** The guest's whole environment. */
  env: Record<string, string>
  /** Working directory inside. It and /tmp share one tmpfs with the disk and inode limit. */
  home: string
  /** Shows the home and /tmp read-only: nothing can be written anywhere. */
  readOnly: boolean
  limits: {
    memoryMb: number
    processes: number
    openFiles: number
    diskMb: number
    inodes: number
    /** CPU time of each single process; the whole tree is bounded by whoever calls kill(). */
    cpuSeconds?: number
  }
  seccomp: Profile
  /** The program is the namespace's first process: no signal from inside ends it, and it has to reap. */
  isFirst?: boolean
  /** Has /dev/ptmx, /dev/pts of its own and /dev/tty. */
  hasTerminals?: boolean
  /**
   * Files do not count against `memoryMb`, as far as the kernel can tell them apart: its hard limit is memory and disk together,
   * and whoever cares looks at `processMemory()`.
   */
  countsFilesApart?: boolean
}

/** A running sandbox process with its pipes. */
export interface Launched {
  /** Host pid of the sandbox's outermost process. */
  readonly pid: number
  /** Descriptor 0, a socket: whoever does not need it as input may use it both ways. */
  stdin: Duplex
  stdout: Readable
  stderr: Readable
  /** The guest protocol, on descriptor 3, in both directions. */
  channel: { read: Readable; write: Writable }
  /** Bytes in use now, and the highest so far, where the machine can tell; after the end, as they were at the end. */
  memory(): { current: number; peak: number } | undefined
  /** Bytes that processes hold, without files in memory; undefined where the machine cannot tell. */
  processMemory(): number | undefined
  /** Bytes that one process has asked for, the most of any, whether it was given them yet or not. */
  askedMemory(): number | undefined
  /** Where processes hold more memory, ends the one with most, but not the first and none while another is being ended; tells whether it did. */
  killLargest(overBytes: number): boolean
  /** When memory is short, the kernel ends this process, by its pid inside, and what comes from it, before the first one. */
  endBeforeFirst(pidInside: number): void
  /** Sets limits anew, for a sandbox made before its program was known; false when it uses more memory already. */
  limit(limits: { memoryMb: number; processes: number }): boolean
  /**
   * The names of telling system calls that it was denied so far, however it took that, the first hundred. What it said on its channel after one
   * comes after it. Heard of in forks of zygotes; elsewhere there are none.
   */
  denials(): readonly string[]
  /** Processes of it that were ended for lack of memory so far. */
  oomKills(): number
  /** Processes beside the first one, where the machine can tell. */
  processes(): number | undefined
  /** Ends every process of the sandbox at once and waits until none is left. */
  kill(): Promise<void>
  /** Resolves when no process is left and what the sandbox used on the host is gone. */
  readonly ended: Promise<Ending>
}

export interface Ending {
  code: number | null
  signal: string | null
  /** It died with the process of ours that it came from, and not of what it did. */
  isLost?: true
  /** The kernel, or the watcher where there are no cgroups, ended a process of it for lack of memory. */
  outOfMemory: boolean
}

export interface Launcher {
  /** Why no sandbox can be made here; undefined when it can. */
  unavailable(): string | undefined
  /** What is weaker than it should be on this machine, such as missing cgroups. */
  weakness(): string | undefined
  /** Resolves when the sandbox exists and its program is being started. */
  launch(spec: LaunchSpec): Promise<Launched>
  /** What all sandboxes of this process use together; undefined where there are no control groups. */
  usedMb(): number | undefined
  /** Why no zygote can be made here; undefined when it can. */
  zygotesUnavailable(): string | undefined
  /** Resolves when the zygote has loaded its modules and can be forked. */
  startZygote(spec: ZygoteSpec): Promise<Zygote>
  /** Makes a directory that guests can be shown; gone after close(). */
  directory(name: string): string
  /** Removes what earlier processes of this server left behind. */
  sweep(): Promise<void>
  /** Kills every sandbox that is left and removes what the launcher made. */
  close(): Promise<void>
}
