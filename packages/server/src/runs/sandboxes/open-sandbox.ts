import type { PackageSet, Sandbox as RuntimeSandbox, ProcessSpec, SandboxProcess, Sign } from '../../runtimes/index.ts'
import type { KnownFile, UploadedFile } from './files/save-files.ts'
import type { OpenNetwork } from './sandbox-network.ts'
import type { SandboxRow, SandboxState } from './sandbox.ts'

/** A command in the background, and how it ended. */
export interface RunningProcess {
  process: SandboxProcess
  exit?: { code: number | null; signal: string | null }
}

// those that ended are told of for a while
const endedKept = 20

/** A sandbox while this process holds it: what is in it, how long since someone used it, what is saved of it. */
export class OpenSandbox implements SandboxState {
  readonly inside: RuntimeSandbox
  row: SandboxRow
  lastUsedAt = Date.now()
  /** Saved files by path. */
  known: ReadonlyMap<string, KnownFile> = new Map()
  /** Files whose content was put into blobs before they were written. */
  readonly uploaded = new Map<string, UploadedFile>()
  /** The way out of it, as far as it was granted. */
  readonly way: OpenNetwork
  /** Its packages. */
  sets: readonly PackageSet[]
  /** What of its packages could not be had as it opened, in words. */
  readonly lacks: readonly string[]
  /** Signs that its programs tried what the network does not grant. */
  readonly networkSigns: () => readonly Sign[]
  readonly #onIdle: (sandbox: OpenSandbox) => void
  #processes: RunningProcess[] = []
  #uses = 0
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: {
    inside: RuntimeSandbox
    row: SandboxRow
    way: OpenNetwork
    networkSigns(): readonly Sign[]
    sets: readonly PackageSet[]
    lacks: readonly string[]
    onIdle(sandbox: OpenSandbox): void
  }) {
    this.inside = options.inside
    this.row = options.row
    this.way = options.way
    this.networkSigns = options.networkSigns
    this.sets = options.sets
    this.lacks = options.lacks
    this.#onIdle = options.onIdle
    this.#watchIdle()
  }

  /** Someone did something with it: its idle time begins anew. */
  touch(): void {
    this.lastUsedAt = Date.now()
  }

  /** It is not idle while the work goes on, however long that takes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#uses++
    this.touch()
    try {
      return await work()
    } finally {
      this.#uses--
      this.touch()
    }
  }

  /** Commands in the background, and the last ones that ended. */
  processes(): readonly RunningProcess[] {
    return this.#processes
  }

  /** Starts a command in the background. `onExit` hears of its end. */
  async start(spec: ProcessSpec, onExit: () => void): Promise<RunningProcess> {
    const running: RunningProcess = { process: await this.inside.processes.start(spec) }
    this.#processes.push(running)
    void running.process.exited.then((exit) => {
      running.exit = exit
      const ended = this.#processes.filter((one) => one.exit)
      const forgotten = new Set(ended.slice(0, Math.max(0, ended.length - endedKept)))
      this.#processes = this.#processes.filter((one) => !forgotten.has(one))
      onExit()
    })
    return running
  }

  /** One after the other, so that two savings do not undo each other. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work, work)
    this.#turn = done.catch(() => undefined) // told to whoever asked for it
    return done
  }

  stopWatching(): void {
    clearTimeout(this.#timer)
  }

  /** After a change of the idle time. */
  rewatch(): void {
    this.stopWatching()
    this.#watchIdle()
  }

  #watchIdle(): void {
    const leftMs = this.lastUsedAt + this.row.idleTimeoutMs - Date.now()
    this.#timer = setTimeout(
      () => {
        const isIdle = this.#uses === 0 && Date.now() - this.lastUsedAt >= this.row.idleTimeoutMs
        if (isIdle) this.#onIdle(this)
        else this.#watchIdle()
      },
      // while something goes on the time is up for long, and looked at again now and then
      Math.max(leftMs, Math.min(this.row.idleTimeoutMs, 1000)),
    )
    this.#timer.unref()
  }
}
