import type { Database, Log } from '../../base/index.ts'
import type { LiveRun } from '../live-run.ts'
import { isAway, WriteBatches } from './write-batches.ts'
import { toCheckpoint, writeCheckpoints, type CheckpointWrite } from './write-checkpoints.ts'

// a run is kept from the second round on that finds it running: most have ended by then, and cost nothing
const everyMs = 500
/** What one round writes at the most, but for a single longer line; the rest waits for the next. */
const roundBytes = 1024 * 1024

type HeldRun = Pick<LiveRun, 'id' | 'teamId' | 'run' | 'isRunning'>

interface Progress {
  live: HeldRun
  /** How many lines of its output are in the store. */
  lines: number
  /** Something of it may be in the store. */
  isKept: boolean
  isRefused: boolean
}

/**
 * Keeps what runs have printed while they are under way, so that a server that is killed loses a second of it and not all.
 * One timer looks at all of them, and each line is written once.
 */
export class RunCheckpoints {
  readonly #log: Log
  readonly #held: () => Iterable<HeldRun>
  readonly #batches: WriteBatches<CheckpointWrite>
  /** Of the runs that were found running, those first that have waited longest. */
  readonly #progress = new Map<string, Progress>()
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #isClosed = false

  constructor({ database, log }: { database: Database; log: Log }, held: () => Iterable<HeldRun>) {
    this.#log = log
    this.#held = held
    this.#batches = new WriteBatches({
      write: (writes) => writeCheckpoints(database, writes),
      sizeOf: ({ run }) => run.length,
      log,
    })
  }

  /** There are runs: goes round until there are none. */
  wake(): void {
    if (this.#timer || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#round = this.keep().then((isAny) => {
        this.#timer = undefined
        if (isAny) this.wake()
      })
    }, everyMs).unref()
  }

  /** One round; whether there are runs at all. */
  async keep(): Promise<boolean> {
    const known = [...this.#progress.values()]
    let isAny = false
    for (const live of this.#held()) {
      isAny = true
      if (!live.isRunning || this.#progress.has(live.id)) continue
      this.#progress.set(live.id, { live, lines: 0, isKept: false, isRefused: false })
    }
    await Promise.all(this.#gather(known).map((write) => this.#write(write)))
    return isAny
  }

  /** The run's end is about to be written. Whether something of it may be in the store. */
  forget(id: string): boolean {
    const progress = this.#progress.get(id)
    this.#progress.delete(id)
    return progress?.isKept ?? false
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#batches.close()
    await this.#round
  }

  #gather(known: Progress[]): CheckpointWrite[] {
    const writes: CheckpointWrite[] = []
    let bytes = 0
    for (const progress of known) {
      const { live, lines: first, isKept, isRefused } = progress
      const { run, teamId } = live
      if (isRefused || (isKept && first === run.output.length)) continue
      const lines: string[] = []
      for (const line of run.output.slice(first)) {
        const text = JSON.stringify(line)
        if (bytes > 0 && bytes + text.length > roundBytes) break
        bytes += text.length
        lines.push(text)
      }
      if (lines.length === 0 && first < run.output.length) continue
      // before it is written: nobody knows of a write that is under way whether it was done
      progress.isKept = true
      this.#progress.delete(run.id)
      this.#progress.set(run.id, progress)
      const upTo = first + lines.length
      const onKept = () => (progress.lines = upTo)
      writes.push({ teamId, id: run.id, run: toCheckpoint(run, { first, lines }), onKept })
    }
    return writes
  }

  async #write(write: CheckpointWrite): Promise<void> {
    try {
      await this.#batches.add(write)
    } catch (error) {
      // a database that is away is asked again in the next round; what it refuses is tried once more when the run ends
      this.#log.warn({ error, run: write.id }, 'the output of a run is not kept before its end')
      const progress = this.#progress.get(write.id)
      if (progress) progress.isRefused = !isAway(error)
    }
  }
}
