import type { Run } from '@coherex/contract'
import { RunErrorCard } from '../../output/details/run-error.tsx'
import { RunResult } from '../../output/details/run-result.tsx'
import type { OutputLog } from '../../output/output-log.ts'
import { OutputView } from '../../output/output-view.tsx'

/** What came of a run of this browser, or of one that is only shown. */
export function SharedOutput({ run, log, version }: { run: Run; log: OutputLog; version: number }) {
  const isEmpty = log.blocks.length === 0
  if (isEmpty && run.result === undefined && !run.error) return null
  return (
    <div className="flex max-h-160 flex-col border-t border-line">
      {!isEmpty && <OutputView log={log} version={version} live={run.status === 'running'} />}
      {run.error && <RunErrorCard run={run} error={run.error} paths={[]} onShow={() => undefined} />}
      {run.result !== undefined && <RunResult run={run} alone={isEmpty} />}
    </div>
  )
}
