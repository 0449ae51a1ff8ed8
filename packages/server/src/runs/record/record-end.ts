import type { Run } from '@coherex/contract'
import type { Log } from '../../base/index.ts'
import type { ProducedFile } from '../../runtimes/index.ts'
import type { Allowances } from '../allowances.ts'
import type { LiveRun } from '../live-run.ts'
import type { RecordedRun } from './run-recorder.ts'

export interface EndDeps {
  allowances: Pick<Allowances, 'of' | 'count'>
  log: Log
}

/** Writes the end of a run, with those of its files that the team's storage has room for; answers the end as it is told. */
export async function recordEnd(
  { allowances, log }: EndDeps,
  { live, recorded, run, produced }: { live: LiveRun; recorded: RecordedRun; run: Run; produced: ProducedFile[] },
): Promise<Run> {
  const files = await withinStorage(allowances, live.teamId, produced)
  const leftOut = produced.length - files.length
  if (leftOut > 0) {
    const text = `[${leftOut} of ${produced.length} files were not kept: the team's storage is full]`
    live.print({ at: run.durationMs, stream: 'stderr', text })
  }
  const ended = await recorded.end({ ...run, output: live.run.output }, files).catch((error: unknown) => {
    log.error({ error, run: run.id }, 'the end of a run could not be recorded')
    return undefined
  })
  void allowances.count(live.teamId, {
    seconds: run.durationMs / 1000,
    bytes: files.reduce((sum, file) => sum + file.bytes.length, 0),
  })
  return ended ?? { ...run, status: 'failed', error: { kind: 'internal', message: notRecorded } }
}

const notRecorded = 'The run ended but could not be recorded'

/** The files that still fit. One that does not keeps no smaller one behind it away. */
async function withinStorage(
  allowances: Pick<Allowances, 'of'>,
  teamId: string,
  files: ProducedFile[],
): Promise<ProducedFile[]> {
  if (files.length === 0) return files
  // a moment without the database must not cost a run what it made: what it keeps counts for the next one
  const grant = await allowances.of(teamId).catch(() => undefined)
  if (!grant) return files
  const { quotas, storedMb } = grant
  let leftBytes = (quotas.storageMb - storedMb) * 1024 * 1024
  return files.filter(({ bytes }) => {
    if (bytes.length > leftBytes) return false
    leftBytes -= bytes.length
    return true
  })
}
