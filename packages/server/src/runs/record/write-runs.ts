import type { GivenFile, Run, RunRequest } from '@coherex/contract'
import { storableJson, type Database } from '../../base/index.ts'
import { today, type FileRow } from './run-store.ts'

const keptHours = 24

/** What was asked for, as JSON to be kept; code and files are kept with the program. */
export function toStoredRequest({ code: _code, files: _files, ...asked }: RunRequest): string {
  return storableJson(asked)
}

/** A run's row as JSON, its columns by their names, with every column there. */
export function toStoredRun({
  teamId,
  run,
  request,
  serverId,
}: {
  teamId: string
  run: Run
  /** By `toStoredRequest`, once for all rows of a run: the input may have megabytes, and going through them holds up the server. */
  request: string
  serverId: string
}): string {
  const row = {
    team_id: teamId,
    id: run.id,
    person_id: run.createdBy.id,
    person_name: run.createdBy.name,
    server_id: serverId,
    status: run.status,
    language: run.language,
    program_hash: run.codeHash,
    receipt: run.runtime,
    output: run.output,
    result: run.result === undefined ? null : { value: run.result, text: run.resultText },
    error: run.error ?? null,
    signs: run.signs,
    requests: run.requests,
    truncated: run.truncated,
    queued_ms: run.queuedMs,
    duration_ms: run.durationMs,
    peak_memory_mb: run.peakMemoryMb,
    created_at: run.createdAt,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    started_by: run.startedBy ?? null,
    retry_of: run.retryOf ?? null,
    thread_id: run.threadId ?? null,
    artifact_id: run.artifactId ?? null,
    artifact_version: run.artifactVersion ?? null,
    reported_by: run.reportedBy ?? null,
    tool: run.tool ?? null,
    private_to: run.isPrivate ? run.createdBy.id : null,
  }
  return `${JSON.stringify(row).slice(0, -1)},"request":${request}}`
}

export interface StoredProgram {
  team_id: string
  hash: string
  code: string
  entry: string
  files: Record<string, GivenFile>
  created_at: string
}

/** What is to be written of one run: rows as JSON text, each made once, so that their size is known before they are sent. */
export interface RunWrite {
  teamId: string
  run: string
  isEnd: boolean
  /** Absent when the program and the start were written before. */
  beginning?: { hash: string; program: string; start: string } | undefined
  files: string[]
  alert?: string | undefined
  /** The run's id when pieces of its output were kept, which this write takes the place of. */
  kept?: string | undefined
}

/** Writes runs, of whatever teams, in one round trip. A run that is there already is ended, once; its usage counts once. */
export async function writeRuns(database: Database, writes: RunWrite[]): Promise<void> {
  const day = today()
  const teams = Map.groupBy(writes, (write) => write.teamId)
  const batches = [...teams].map(([teamId, own]) => {
    const beginnings = own.flatMap(({ beginning }) => beginning ?? [])
    const programs = new Map(beginnings.map(({ hash, program }) => [hash, program]))
    const kept = own.flatMap((write) => write.kept ?? [])
    return `{"team_id":${JSON.stringify(teamId)},"day":"${day}","programs":${list(programs.values())},"runs":${list(
      own.map(({ run }) => run),
    )},"starts":${list(beginnings.map(({ start }) => start))},"files":${list(
      own.flatMap(({ files }) => files),
    )},"alerts":${list(own.flatMap(({ alert }) => alert ?? []))},"kept":${JSON.stringify(kept)}}`
  })
  await database.call('record_runs', list(batches))
}

export function toStoredFile({ teamId, runId, path, size, hash }: FileRow & { teamId: string; runId: string }) {
  const expiresAt = new Date(Date.now() + keptHours * 3_600_000)
  return { team_id: teamId, run_id: runId, path, size, hash, expires_at: expiresAt.toISOString() }
}

function list(texts: Iterable<string>): string {
  return `[${[...texts].join(',')}]`
}
