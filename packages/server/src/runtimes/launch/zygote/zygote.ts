import type { Launched, LaunchSpec } from '../launcher.ts'

/** A process that has loaded what programs need, and is forked into fresh namespaces for each of them. */
export interface ZygoteSpec extends Pick<
  LaunchSpec,
  'binds' | 'links' | 'env' | 'home' | 'isFirst' | 'hasTerminals' | 'countsFilesApart'
> {
  /** What it runs on inside, where that is not the system's Python. */
  python?: string
  /** Directory inside that holds driver.py, whose main() serves the one program of a guest. */
  driver: string
  /** Modules to load ahead; without one of them there is no zygote. */
  modules: string[]
  /** Of the zygote itself; each guest has a limit of its own. */
  memoryMb: number
}

export interface Zygote {
  /** A fork of it, in namespaces, on a disk and as a user of its own. No guest's code has run in what it is a copy of. */
  fork(limits: LaunchSpec['limits'], options?: ForkOptions): Promise<Launched>
  /** Takes no more orders; it ends when its last guest has. */
  retire(): void
  /** Ends it and every guest it has. */
  kill(): Promise<void>
  /** Resolves when neither it nor a guest of it is left. */
  readonly ended: Promise<void>
}

/** With `hasLink` the guest's standard input is a socket, whose other end is `stdin`; without, it is empty. */
export interface ForkOptions {
  hasLink?: boolean
}

/** What one guest is given, as the zygote reads it. */
export interface ForkOrder {
  id: number
  /** User and group in the zygote's user namespace; on the host it is one that no other sandbox has. */
  user: number
  /** Options of the mount that holds home and /tmp. */
  disk: string
  /** By the names of setrlimit. */
  limits: Record<string, number>
  hasTerminals: boolean
  hasLink: boolean
}

/** A connection that is another guest's link, and comes before its order. */
export interface LinkOrder {
  linkOf: number
}

/** Zygote to host: `ready` once, then for each order `forked` or `failed`, and after `forked` any `denied`, with the call's number, and `exit`. */
export type ZygoteReport =
  | { type: 'ready' }
  | { type: 'forked'; id: number; pid: number; first: number }
  | { type: 'failed'; id: number; reason: string }
  | { type: 'denied'; id: number; call: number }
  | { type: 'exit'; id: number; code?: number; signal?: number }
