import { constants } from 'node:os'
import type { KeeperLink } from './keeper-link.ts'
import { isCount, isRecord, type Question } from './keeper-messages.ts'
import type { KeeperStream } from './keeper-stream.ts'

export interface Exit {
  code: number | null
  signal: string | null
}

export interface StartedProcess {
  /** As the sandbox counts. */
  pid: number
  exited: Promise<Exit>
  /** To its whole group. */
  signal(name: keyof typeof constants.signals): void
  /** Ends it and all that came from it. */
  killWhole(): void
  resize(columns: number, rows: number): void
}

type Start = Extract<Question, { act: 'start' }>

/** What runs inside by the host's order. */
export class KeeperProcesses {
  readonly #link: KeeperLink
  readonly #exits = new Map<number, (exit: Exit) => void>()
  readonly #onStarted: (pid: number) => void
  #last = 0

  constructor(link: KeeperLink, onStarted: (pid: number) => void) {
    this.#link = link
    this.#onStarted = onStarted
  }

  async start(what: DistributiveOmit<Start, 'act' | 'process'>, streams: KeeperStream[]): Promise<StartedProcess> {
    const process = ++this.#last
    const exited = new Promise<Exit>((resolve) => this.#exits.set(process, resolve))
    let told: unknown
    try {
      told = await this.#link.ask({ act: 'start', process, ...what }, streams)
    } catch (error) {
      this.#exits.delete(process)
      throw error
    }
    const pid = isRecord(told) && isCount(told['pid']) ? told['pid'] : 0
    this.#onStarted(pid)
    const ask = (question: Question) => {
      if (this.#exits.has(process)) this.#link.ask(question).catch(ended)
    }
    return {
      pid,
      exited,
      signal: (name) => ask({ act: 'signal', process, signal: constants.signals[name], whole: false }),
      killWhole: () => ask({ act: 'signal', process, signal: constants.signals.SIGKILL, whole: true }),
      resize: (columns, rows) => ask({ act: 'resize', process, columns, rows }),
    }
  }

  /** False when no such process was started. */
  exited(process: number, { code, signal }: { code: number | null; signal: number | null }): boolean {
    const tell = this.#exits.get(process)
    this.#exits.delete(process)
    tell?.({ code, signal: signal === null ? null : signalName(signal) })
    return tell !== undefined
  }

  /** The sandbox is gone, and every process with it. */
  close(): void {
    for (const tell of this.#exits.values()) tell({ code: null, signal: 'SIGKILL' })
    this.#exits.clear()
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

function signalName(number: number): string {
  return Object.entries(constants.signals).find(([, known]) => known === number)?.[0] ?? `signal ${number}`
}

// who wants to end what is gone has what they want
function ended(): void {}
