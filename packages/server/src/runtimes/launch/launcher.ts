import type { Readable, Writable } from 'node:stream'

/** One program in its own namespaces, as another user, with nothing of the host but what `binds` names. */
export interface LaunchSpec {
  argv: string[]
  /** Directories and files of the host shown read-only inside. */
  binds: { host: string; guest: string }[]
  /** The guest's whole environment. */
  env: Record<string, string>
  /** Working directory inside, on a tmpfs with the disk limit unless `readOnly`. */
  home: string
  readOnly: boolean
  limits: {
    memoryMb: number
    processes: number
    openFiles: number
    diskMb: number
    inodes: number
    cpuSeconds?: number
  }
  seccomp: 'guest' | 'isolate'
}

/** A running sandbox process with its pipes. */
export interface Launched {
  readonly pid: number
  stdin: Writable
  stdout: Readable
  stderr: Readable
  /** The guest protocol, on descriptor 3, in both directions. */
  channel: { read: Readable; write: Writable }
  /** Bytes in use now, and the highest so far, where the machine can tell. */
  memory(): { current: number; peak: number } | undefined
  /** Ends every process of the sandbox at once and waits until none is left. */
  kill(): Promise<void>
  readonly ended: Promise<Ending>
}

export interface Ending {
  code: number | null
  signal: string | null
  /** The kernel ended it for lack of memory. */
  outOfMemory: boolean
}

export interface Launcher {
  /** Why no sandbox can be made here; undefined when it can. */
  unavailable(): string | undefined
  /** What is weaker than it should be on this machine, such as missing cgroups. */
  weakness(): string | undefined
  launch(spec: LaunchSpec): Promise<Launched>
  /** Removes what earlier processes of this server left behind. */
  sweep(): Promise<void>
}
