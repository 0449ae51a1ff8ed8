import type { Run, RunRequest } from '@coherex/contract'
import { recordAudit, type AuditEntry, type TeamCaller } from '../access/index.ts'
import type { Blobs, Database, Log, Transaction } from '../base/index.ts'
import type { ProducedFile, Program } from '../runtimes/index.ts'
import {
  addUsage,
  insertRunFiles,
  insertRuns,
  toStoredRun,
  updateEndedRuns,
  type FileRow,
  type StoredProgram,
  type StoredRun,
} from './run-store.ts'
import { toGivenFiles } from './run.ts'
import { storable } from './storable.ts'
import { TeamBatches } from './team-batches.ts'

export interface RecorderRooms {
  database: Database
  blobs: Blobs
  log: Log
  serverId: string
}

/** One write of a run: its beginning, its end, or both at once. */
interface Write {
  run: Run
  row: StoredRun
  /** Absent when the row is there already and is only to be ended. */
  beginning: { program: StoredProgram; audit: AuditEntry } | undefined
  files: FileRow[]
}

/** Longest time that a run which somebody waits for goes on without its row: most have ended by then. */
const heldMs = 50

/**
 * Writes runs to the store, many in one transaction when many come at once. A run that is waited for is written when it has
 * ended, or after a moment; one that is not is written before its caller hears of it.
 */
export class RunRecorder {
  readonly #rooms: RecorderRooms
  readonly #batches: TeamBatches<Write>

  constructor(rooms: RecorderRooms) {
    this.#rooms = rooms
    this.#batches = new TeamBatches((teamId, writes) => this.#flush(teamId, writes), rooms.log)
  }

  async begin(options: {
    run: Run
    request: RunRequest
    program: Program
    caller: TeamCaller
    durable: boolean
  }): Promise<RecordedRun> {
    const { run, request, program, caller, durable } = options
    const { teamId } = caller
    const beginning = {
      program: toStoredProgram(teamId, run, program),
      audit: {
        teamId,
        actor: caller,
        action: 'run.start',
        target: { kind: 'run', id: run.id },
        details: { language: run.language, codeHash: run.codeHash },
      },
    }
    const toRow = (state: Run) => toStoredRun({ teamId, run: state, request, serverId: this.#rooms.serverId })
    const writeBeginning = () => this.#batches.add(teamId, { run, row: toRow(run), beginning, files: [] })

    let written: Promise<void> | undefined
    let timer: NodeJS.Timeout | undefined
    if (durable) await (written = writeBeginning())
    else {
      timer = setTimeout(() => {
        written = writeBeginning()
        // told by end(), which waits for it
        written.catch(() => undefined)
      }, heldMs)
    }

    return {
      end: async (ended, produced) => {
        clearTimeout(timer)
        const begun = await written?.then(
          () => true,
          () => false,
        )
        const files = await this.#keep(teamId, produced)
        const kept = { ...ended, files: files.map(({ path, size }) => ({ path, size })) }
        await this.#batches.add(teamId, {
          run: kept,
          row: toRow(kept),
          beginning: begun ? undefined : beginning,
          files,
        })
        return kept
      },
    }
  }

  async #keep(teamId: string, produced: ProducedFile[]): Promise<FileRow[]> {
    const files: FileRow[] = []
    for (const { path, bytes } of produced) {
      files.push({ path: storable(path), size: bytes.length, hash: await this.#rooms.blobs.put(teamId, bytes) })
    }
    return files
  }

  async #flush(teamId: string, writes: Write[]): Promise<void> {
    await this.#rooms.database.transaction({ team: teamId }, async (transaction) => {
      const beginnings = writes.filter((one) => one.beginning !== undefined)
      const rest = writes.filter((one) => one.beginning === undefined)
      if (beginnings.length > 0) await writeBeginnings(transaction, beginnings)
      const updated =
        rest.length > 0
          ? await updateEndedRuns(
              transaction,
              rest.map((one) => one.row),
            )
          : new Set<string>()
      const ended = writes.filter((one) => one.run.endedAt && (one.beginning !== undefined || updated.has(one.run.id)))
      if (ended.length > 0) await writeEnds(transaction, teamId, ended)
    })
  }
}

/** A run whose beginning is written or about to be. */
export interface RecordedRun {
  /** Writes the end; the run as it is kept. */
  end(run: Run, files: ProducedFile[]): Promise<Run>
}

async function writeBeginnings(transaction: Transaction, writes: Write[]): Promise<void> {
  const programs = new Map(
    writes.flatMap(({ beginning }) => (beginning ? [[beginning.program.hash, beginning.program] as const] : [])),
  )
  await insertRuns(
    transaction,
    [...programs.values()],
    writes.map((one) => one.row),
  )
  await recordAudit(transaction, ...writes.flatMap(({ beginning }) => (beginning ? [beginning.audit] : [])))
}

async function writeEnds(transaction: Transaction, teamId: string, writes: Write[]): Promise<void> {
  const files = writes.flatMap(({ run, files: rows }) => rows.map((row) => ({ ...row, teamId, runId: run.id })))
  if (files.length > 0) await insertRunFiles(transaction, files)
  await addUsage(transaction, teamId, {
    runs: writes.length,
    runMs: writes.reduce((sum, { run }) => sum + run.durationMs, 0),
  })
  const alerts = writes.filter(({ run }) => run.signs.length > 0).map(({ run }) => toAlert(teamId, run))
  if (alerts.length > 0) await recordAudit(transaction, ...alerts)
}

function toAlert(teamId: string, run: Run): AuditEntry {
  return {
    teamId,
    actor: { kind: 'system', name: 'Coherex' },
    action: 'run.alert',
    target: { kind: 'run', id: run.id },
    details: { signs: run.signs, createdBy: run.createdBy },
  }
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
