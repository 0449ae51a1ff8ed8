import type { Duplex, Readable } from 'node:stream'
import type { Language, OutputLine } from '@coherex/contract'
import type { Capabilities } from '../capabilities/index.ts'
import type { PackageSet } from './package-set.ts'
import type { Limits, Outcome, SandboxNetwork, Sign } from './runtime.ts'

export type { SandboxNetwork }

/** Bounds of a sandbox that lives on. Those of single cells come with the cell. */
export type SandboxLimits = Pick<Limits, 'memoryMb' | 'processes' | 'openFiles' | 'diskMb' | 'inodes'>

export interface SandboxSpec {
  limits: SandboxLimits
  /** Guests with different trust domains never share a process, not even one after the other. */
  domain: string
  /** Variables of every process in it. */
  env: Record<string, string>
  /** A read-only directory of the host with packages of a template, shown at /opt/template. */
  templateDir?: string
  /** The way out of it; absent means there is no network at all. */
  network?: SandboxNetwork
  /** Its packages from the start, one set for a language. */
  sets?: readonly PackageSet[]
  /** Takes what `pip install` and `npm install` in there ask for; absent, they are the real ones. */
  installer?: Installer
}

/** Speaks `protocol/install-messages.ts` with the `pip` and `npm` of a sandbox. */
export interface Installer {
  accept(connection: Duplex): void
}

/** An isolated place with files, processes and sessions. What comes out of it is a guest's word. */
export interface Sandbox {
  /** Runs one piece of code in a session, one at a time per context; the session starts at its first cell. */
  runCell(cell: Cell, options: CellOptions): Promise<CellOutcome>
  /** Stops the running cell and keeps the session's variables. False when nothing was running. */
  interrupt(context: string): Promise<boolean>
  /** Ends the session; its next cell starts with nothing. */
  reset(context: string): Promise<void>
  sessions(): SessionState[]
  variables(context: string): Promise<Variable[]>
  /** One variable in full, or a page of a table. Undefined when there is none of that name. */
  variable(context: string, name: string, page: { offset: number; limit: number }): Promise<VariablePage | undefined>
  /** What could follow at the end of a text, by what the session holds; nothing where its language cannot tell. */
  complete(context: string, code: string): Promise<Completions>
  readonly files: SandboxFiles
  readonly processes: SandboxProcesses
  /** From now on these are its packages: of sessions from their next import on, of other programs from their start. */
  usePackages(sets: readonly PackageSet[]): Promise<void>
  /** A connection to a port that a process inside listens on; rejects when none does. */
  connect(port: number): Promise<Duplex>
  /** Bytes in use now, and the highest so far, where the machine can tell. */
  memory(): { current: number; peak: number } | undefined
  /** Gives its processes another share of the memory from now on. False when more is in use, or the machine cannot. */
  limitMemory(memoryMb: number): boolean
  signs(): Sign[]
  /** Resolves when no process of it is left, however it ended. */
  readonly ended: Promise<SandboxEnding>
  close(): Promise<void>
}

export interface SandboxEnding {
  /** `closed` was asked for; the others happened to it. */
  why: 'closed' | 'memory' | 'crashed' | 'protocol'
  detail: string
}

export interface Cell {
  /** Names the session within the sandbox. Sessions of several languages share its files. */
  context: string
  language: Language
  code: string
  /** Text for the first reads of standard input; more can come through `onInput`. */
  stdin?: string
  input?: unknown
}

export interface CellOptions {
  limits: Pick<Limits, 'timeoutMs' | 'outputBytes'>
  signal: AbortSignal
  capabilities: Capabilities
  onOutput(line: OutputLine): void
  onStart(): void
  /** Asked when the code waits for a line; undefined is the end of input. Absent, every such wait is the end. */
  onInput?(request: { prompt: string; secret: boolean }): Promise<string | undefined>
}

/** Files are the sandbox's, not the cell's. */
export interface CellOutcome extends Omit<Outcome, 'files'> {
  /** The session's interpreter is gone, and its variables with it. */
  sessionLost: boolean
  /** The sandbox has as many processes as it may: until some are ended, nothing new starts in it. */
  isFull?: true
}

export interface SessionState {
  context: string
  language: Language
  status: 'starting' | 'idle' | 'running'
  /** Cells run since it began. */
  cells: number
}

export interface Variable {
  name: string
  type: string
  /** Short, on one line. */
  value: string
  /** Bytes, where the language can tell. */
  size?: number
  /** Rows and columns of a table, or the dimensions of an array. */
  shape?: number[]
}

export interface Completions {
  /** What is typed already of the name. */
  prefix: string
  items: { name: string; kind: string }[]
}

export interface VariablePage extends Variable {
  /** Of a table: a page of it. */
  table?: { columns: { name: string; type: string }[]; rows: unknown[][]; offset: number; total: number }
  /** Of anything else: its text, bounded. */
  text?: string
}

/** Paths are relative to the home directory and cannot leave it; no call follows a link the guest made. */
export interface SandboxFiles {
  /** Up to ten thousand entries; `onCut` hears that there are more. */
  list(path: string, options?: { recursive?: boolean; onCut?: () => void }): Promise<SandboxFile[]>
  stat(path: string): Promise<SandboxFile | undefined>
  read(path: string): Promise<Readable>
  /** Without `kept` a new file is an ordinary one of now, and one that is written again keeps whether it can be run. */
  write(path: string, content: AsyncIterable<Uint8Array>, kept?: KeptAttributes): Promise<SandboxFile>
  /** Makes a link; what it points to is only looked at by whoever follows it inside. */
  link(path: string, target: string, modifiedAt: number): Promise<void>
  setTime(path: string, modifiedAt: number): Promise<void>
  makeDirectory(path: string): Promise<void>
  move(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  /** Tells each change until stopped; changes close to each other come as one. */
  watch(path: string, onChange: (change: FileChange) => void): Promise<() => void>
}

export interface SandboxFile {
  path: string
  type: 'file' | 'directory' | 'link'
  size: number
  /** Milliseconds since the epoch, by the guest's own clock and word. */
  modifiedAt: number
  /** Changes whenever content or metadata change, even when the guest sets its time back. */
  stamp: string
  linkTarget?: string
  isExecutable?: boolean
}

/** What a file that is put back has kept, beside its content. */
export interface KeptAttributes {
  isExecutable: boolean
  modifiedAt: number
}

export interface FileChange {
  path: string
  change: 'written' | 'removed'
}

export interface SandboxProcesses {
  start(command: ProcessSpec): Promise<SandboxProcess>
  list(): SandboxProcess[]
  get(pid: number): SandboxProcess | undefined
}

export interface ProcessSpec {
  /** A line for bash. */
  command: string
  cwd?: string
  env?: Record<string, string>
  /** A terminal of this size instead of pipes. */
  terminal?: { columns: number; rows: number }
}

export interface SandboxProcess {
  /** As the sandbox counts. */
  readonly pid: number
  readonly command: string
  readonly startedAt: Date
  readonly isTerminal: boolean
  /** The newest output, bounded, for whoever comes later. */
  readonly recentOutput: { stream: 'stdout' | 'stderr'; text: string }[]
  onOutput(listener: (stream: 'stdout' | 'stderr', chunk: Uint8Array) => void): () => void
  write(data: Uint8Array): void
  endInput(): void
  resize(columns: number, rows: number): void
  kill(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL'): void
  readonly exited: Promise<{ code: number | null; signal: string | null }>
}
