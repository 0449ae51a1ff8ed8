import { isResultShown, type Run } from '@coherex/contract'
import { hasEnded } from '../data/run/run-get.ts'
import { RunErrorCard } from '../output/details/run-error.tsx'
import { RunResult } from '../output/details/run-result.tsx'
import { RunSigns } from '../output/details/run-signs.tsx'
import { signsToShow } from '../output/details/signs-to-show.ts'
import { OutputView } from '../output/output-view.tsx'
import { InputLine } from './input-line.tsx'
import { useFix } from './use-fix.tsx'
import type { LiveRun } from './use-live-run.ts'

interface CellOutputProps {
  live: LiveRun & { run: Run }
  /** Whoever started it and types nothing else goes on where it asks for a line. */
  takesFocus: boolean
  /** A fix ran it again, as this run. */
  onMoved: ((id: string) => void) | undefined
}

/** What came of a cell's run, as it comes, and the line it waits for. */
export function CellOutput({ live, takesFocus, onMoved }: CellOutputProps) {
  const { run, log, version, asked } = live
  const ended = hasEnded(run)
  const signs = signsToShow(run)
  const hasResult = ended && run.result !== undefined && !isResultShown(run)
  const fix = useFix(run, { onMoved })
  const isSilent = log.blocks.length === 0 && !hasResult && !run.error && signs.length === 0
  return (
    <>
      {!isSilent && (
        <div className="flex max-h-160 flex-col border-t border-line">
          {log.blocks.length > 0 && <OutputView log={log} version={version} live={!ended} />}
          {run.error && <RunErrorCard run={run} error={run.error} paths={[]} onShow={() => undefined} {...fix} />}
          {hasResult && <RunResult run={run} alone={log.blocks.length === 0} />}
          {signs.length > 0 && (
            <div className="px-4 py-2">
              <RunSigns run={run} />
            </div>
          )}
        </div>
      )}
      {asked && !ended && (
        <InputLine
          runId={run.id}
          request={asked}
          takesFocus={takesFocus}
          onAnswer={live.onAnswer}
          onAnswered={live.onAnswered}
        />
      )}
    </>
  )
}
