import type { Duplex } from 'node:stream'
import type { ErrorKind, Language, OutputLine, PythonStack, RunError, RuntimeName } from '@coherex/contract'
import type { Capabilities } from '../capabilities/index.ts'
import type { PackageSet } from './package-set.ts'
import type { Sandbox, SandboxSpec } from './sandbox.ts'

/** What is to be run. Everything in it comes from the guest's author and is trusted with nothing. */
export interface Program {
  language: Language
  /** The entry file's text. */
  code: string
  /** Path of the entry among `files`; names the code in stack traces. */
  entry: string
  /** Further files beside the entry, by relative path. */
  files: Record<string, string | Uint8Array>
  input?: unknown
  stdin?: string
  /** What follows the program's name on its command line. */
  args?: string[]
  env: Record<string, string>
  /** Of the packages that are built in. */
  packages: string[]
  /** Packages beyond those that are built in; what it has comes before them. */
  set?: PackageSet
  typecheck: boolean
  readOnly: boolean
  /** A clock and randomness that are the same in every run of the program; absent means the real ones. */
  fixed?: FixedWorld
  /** What was prepared for it may serve later runs of the same key and domain; each has a state of its own all the same. */
  kept?: KeptProgram
}

export interface KeptProgram {
  /** Names the program with all that it consists of. */
  key: string
  /** Nothing of earlier runs is used. */
  fresh?: boolean
  /** A file of a Python program that it loads first, as the module `tool`: it may be loaded before the program is there. */
  module?: string
}

/** What a program that is run again must find as it was. */
export interface FixedWorld {
  /** Milliseconds since the epoch at which its clock begins. Only its own timers move it on. */
  now: number
  /** All randomness is made of this. Whoever knows it knows every random value of the program. */
  seed: string
}

/** Bounds that end a run, each with its own verdict. */
export interface Limits {
  timeoutMs: number
  cpuMs: number
  memoryMb: number
  outputBytes: number
  processes: number
  openFiles: number
  diskMb: number
  inodes: number
}

export interface RunOptions {
  limits: Limits
  signal: AbortSignal
  capabilities: Capabilities
  /** Guests with different trust domains never share a process, not even one after the other. */
  domain: string
  onOutput(line: OutputLine): void
  /** Called once, when the guest's code begins to run. */
  onStart(): void
  /** Which written files to hand back; the default is all within the disk limit. */
  keep?: string[]
  /** The way out for programs that bring clients of their own; absent means there is none. */
  network?: SandboxNetwork
}

/** What decides over the ways out of a sandbox, and opens them: an HTTP proxy. */
export interface SandboxNetwork {
  /** Takes a connection that a client inside made to the sandbox's proxy, for as long as either side keeps it. */
  accept(connection: Duplex): void
}

/** How a run ended. What the guest did wrong is in here, never thrown. */
export interface Outcome {
  status: 'succeeded' | 'failed' | 'cancelled'
  result?: unknown
  /** The result as its language writes it, where that may differ from JSON: Python's repr. */
  resultText?: string
  error?: RunError
  /** What the guest wrote, read through the guest or with no-follow opens. */
  files: ProducedFile[]
  /** Output was cut at its limit. */
  truncated: boolean
  durationMs: number
  /** It ran in a sandbox that was ready before it came. */
  warm?: boolean
  /** What was prepared for an earlier run of the same key served it. */
  kept?: boolean
  /** Highest memory seen, where the runtime can tell. */
  peakMemoryMb: number | null
  /** Traces of an attempt on the sandbox: denied system calls, kills by limit, unexpected processes. */
  signs: Sign[]
  /** Of the guest's process, where the runtime has one. */
  exitCode?: number
}

export interface ProducedFile {
  path: string
  bytes: Uint8Array
  /** Where a symbolic link points, as the guest wrote it; nobody followed it, and `bytes` is empty. */
  linkTarget?: string
}

export interface Sign {
  kind: 'denied-syscall' | 'unexpected-process' | 'limit-kill' | 'egress-refusals' | 'mining' | 'protocol'
  detail: string
}

export interface Availability {
  available: boolean
  /** What is missing and how to get it, or what is weaker than it should be. */
  reason?: string
}

/** A language as a machine has it, or could have it. */
export interface LanguageOnMachine {
  /** Set where it is missing: what, and how to get it. */
  missing?: string
  install: string
  /** What its program says about itself. */
  version(): Promise<string | undefined>
  /** Of Python: where its packages come from, and their versions by name. */
  stack?: PythonStack
  packages?: Readonly<Record<string, string>>
  /** Of Python: what the operator offers besides, versions by name. */
  offered?: Readonly<Record<string, string>>
}

/** One way of running guest code. What the guest did wrong is an Outcome, never an exception. */
export interface Runtime {
  readonly name: RuntimeName
  health(): Availability
  /** Why this runtime cannot take the program; undefined when it can. */
  refuses(program: Program): string | undefined
  /** What it knows of a language that it runs or would run if the machine had it. */
  language?(name: Language): LanguageOnMachine | undefined
  run(program: Program, options: RunOptions): Promise<Outcome>
  /** A sandbox that lives on, where the runtime has them. */
  open?(spec: SandboxSpec): Promise<Sandbox>
  /** Gets ready ahead of need; a runtime that was never warmed still runs. */
  warm(): Promise<void>
  /** Ends every process and removes everything the runtime made. */
  close(): Promise<void>
}

export type { ErrorKind }
