import type { Run } from '@coherex/contract'
import { toAuditRow, type TeamCaller } from '../../access/index.ts'
import { diskFullReason, isDiskFull, storable, type Blobs, type Database, type Log } from '../../base/index.ts'
import type { ProducedFile, Program } from '../../runtimes/index.ts'
import { toGivenFiles } from '../run.ts'
import type { RunCheckpoints } from './run-checkpoints.ts'
import type { FileRow } from './run-store.ts'
import { WriteBatches } from './write-batches.ts'
import { toStoredFile, toStoredRun, writeRuns, type RunWrite, type StoredProgram } from './write-runs.ts'

export interface RecorderDeps {
  database: Database
  blobs: Blobs
  log: Log
  serverId: string
  checkpoints: Pick<RunCheckpoints, 'forget'>
}

/** Longest time that the code of a run which somebody waits for goes on without its row: most have ended by then. */
const heldMs = 50
/** The same before its code has begun, when nothing has happened yet. On a full machine most of the time is spent there. */
const waitingHeldMs = 500
// each waits for the disk, which writes several as fast as one
const putsAtOnce = 8

/**
 * Writes runs to the store, many in one transaction when many come at once. A run that is waited for is written when it has
 * ended, or a moment after its code began; one that is not is written before its caller hears of it.
 */
export class RunRecorder {
  readonly #deps: RecorderDeps
  readonly #batches: WriteBatches<RunWrite>

  constructor(deps: RecorderDeps) {
    this.#deps = deps
    this.#batches = new WriteBatches({
      write: (writes) => writeRuns(deps.database, writes),
      sizeOf: ({ run, beginning, files }) => run.length + (beginning?.program.length ?? 0) + files.length * 300,
      // its caller was promised that it ends; who was not told yet that a run began can be refused
      isLasting: ({ isEnd }) => isEnd,
      log: deps.log,
    })
  }

  /** Whether ends wait for the database, which has been away for a while. */
  get isBehind(): boolean {
    return this.#batches.isBehind
  }

  /** Ends that the database does not take now are left to the next start of the server. */
  close(): void {
    this.#batches.close()
  }

  async begin(options: {
    run: Run
    /** By `toStoredRequest`. */
    request: string
    program: Program
    caller: TeamCaller
    durable: boolean
  }): Promise<RecordedRun> {
    const { run, request, program, caller, durable } = options
    const { teamId } = caller
    const toRow = (state: Run) => toStoredRun({ teamId, run: state, request, serverId: this.#deps.serverId })
    const toBeginning = () => ({
      hash: run.codeHash,
      program: JSON.stringify(toStoredProgram(teamId, run, program)),
      start: JSON.stringify(
        toAuditRow({
          teamId,
          actor: caller,
          action: 'run.start',
          target: { kind: 'run', id: run.id },
          details: {
            ...{ language: run.language, codeHash: run.codeHash },
            ...(run.reportedBy && { runtime: 'browser', reportedBy: run.reportedBy }),
          },
        }),
      ),
    })
    const writeBeginning = () =>
      this.#batches.add({ teamId, run: toRow(run), isEnd: false, beginning: toBeginning(), files: [] })

    let written: Promise<void> | undefined
    let timer: NodeJS.Timeout | undefined
    const hold = (ms: number) => {
      timer = setTimeout(() => {
        written = writeBeginning()
        // told by end(), which waits for it
        written.catch(() => undefined)
      }, ms)
    }
    if (durable) await (written = writeBeginning())
    else hold(waitingHeldMs)

    return {
      begun() {
        if (written) return
        clearTimeout(timer)
        hold(heldMs)
      },
      end: async (ended, produced) => {
        clearTimeout(timer)
        const begun = await written?.then(
          () => true,
          () => false,
        )
        const wasKept = this.#deps.checkpoints.forget(run.id)
        let why = 'run it again'
        const files = await this.#keep(teamId, produced).catch((error: unknown) => {
          this.#deps.log.error({ error, run: run.id }, 'the files of a run could not be kept')
          if (isDiskFull(error)) why = diskFullReason
          return undefined
        })
        const kept = files
          ? { ...ended, files: files.map(({ path, size }) => ({ path, size })) }
          : withoutFiles(ended, why)
        await this.#batches.add({
          teamId,
          run: toRow(kept),
          isEnd: true,
          beginning: begun ? undefined : toBeginning(),
          files: (files ?? []).map((file) => JSON.stringify(toStoredFile({ ...file, teamId, runId: run.id }))),
          alert: kept.signs.length > 0 ? JSON.stringify(toAlert(teamId, kept)) : undefined,
          kept: wasKept ? run.id : undefined,
        })
        return kept
      },
    }
  }

  async #keep(teamId: string, produced: ProducedFile[]): Promise<FileRow[]> {
    const files: FileRow[] = []
    const left = produced.entries()
    const keepNext = async () => {
      for (const [at, { path, bytes }] of left) {
        files[at] = { path: storable(path), size: bytes.length, hash: await this.#deps.blobs.put(teamId, bytes) }
      }
    }
    await Promise.all(Array.from({ length: putsAtOnce }, keepNext))
    return files
  }
}

/** A run whose beginning is written or about to be. */
export interface RecordedRun {
  /** Its code runs from now on. */
  begun(): void
  /** Writes the end; the run as it is kept. */
  end(run: Run, files: ProducedFile[]): Promise<Run>
}

/** The end of a run whose files were lost: whoever counts on them must not hear that it succeeded. */
function withoutFiles(run: Run, why: string): Run {
  if (run.status !== 'succeeded') return { ...run, files: [] }
  const { result: _, resultText: __, ...rest } = run
  const message = `The run succeeded but its files could not be kept: ${why}`
  return { ...rest, status: 'failed', error: { kind: 'internal', message }, files: [] }
}

function toAlert(teamId: string, run: Run) {
  return toAuditRow({
    teamId,
    actor: { kind: 'system', name: 'Coherex' },
    action: 'run.alert',
    target: { kind: 'run', id: run.id },
    details: { signs: run.signs, createdBy: run.createdBy },
  })
}

function toStoredProgram(teamId: string, run: Run, program: Program): StoredProgram {
  return {
    team_id: teamId,
    hash: run.codeHash,
    code: storable(program.code),
    entry: program.entry,
    files: storable(toGivenFiles(program.files)),
    created_at: run.createdAt,
  }
}
