import type { Run, RunSummary } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../data/me.ts'
import { hasEnded } from '../../data/run/run-get.ts'
import { runProgramQuery } from '../../data/run/run-program.ts'
import { RunErrorCard } from '../../output/details/run-error.tsx'
import { RunResult } from '../../output/details/run-result.tsx'
import { RunSigns } from '../../output/details/run-signs.tsx'
import { signsToShow } from '../../output/details/signs-to-show.ts'
import { OutputView } from '../../output/output-view.tsx'
import { languageNames, runTime } from '../../output/run-words.ts'
import { StatusPill } from '../../ui/pill.tsx'
import { readStored } from '../../ui/stored.ts'
import { TextLink } from '../../ui/text-link.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useLiveRun, type LiveRun } from '../runs/use-live-run.ts'
import { InputLine } from './input-line.tsx'

/** A cell that was run: its code, and what came of it as it comes. */
export function CellView({ cell }: { cell: RunSummary }) {
  const live = useLiveRun(cell.id)
  const { data: program } = useQuery(runProgramQuery(cell.id))
  const { run, asked } = live
  const me = useMe()
  const now = useNow(run?.status === 'running')
  const shown = run ?? cell
  return (
    <article aria-label={cell.firstLine || 'Cell'} className="overflow-hidden rounded-lg border border-line bg-surface">
      <header className="flex h-9 items-center gap-3 border-b border-line bg-sunken px-3 text-small">
        <StatusPill status={shown.status} />
        <span className="text-muted">{languageNames[cell.language]}</span>
        <span className="text-muted tabular">{runTime(shown, now)}</span>
        <span className="flex-1" />
        <TextLink to="/runs/$id" params={{ id: cell.id }}>
          Details
        </TextLink>
      </header>
      <pre
        tabIndex={0}
        aria-label="Code"
        className="max-h-80 overflow-auto px-4 py-2 text-small leading-5 [font-variant-ligatures:none]"
      >
        <code>{program?.code ?? cell.firstLine}</code>
      </pre>
      {run && <CellOutput live={{ ...live, run }} />}
      {asked && run && !hasEnded(run) && (
        <InputLine
          runId={cell.id}
          request={asked}
          takesFocus={cell.createdBy.id === me.person.id && readStored(`draft.cell.${run.sandboxId}`) === undefined}
          onAnswered={live.onAnswered}
        />
      )}
    </article>
  )
}

function CellOutput({ live }: { live: LiveRun & { run: Run } }) {
  const { run, log, version } = live
  const ended = hasEnded(run)
  const signs = signsToShow(run)
  // a frame that was shown is its own result
  const isShown = log.blocks.at(-1)?.kind === 'display'
  const hasResult = ended && run.result !== undefined && !isShown
  if (log.blocks.length === 0 && !hasResult && !run.error && signs.length === 0) return null
  return (
    <div className="flex max-h-160 flex-col border-t border-line">
      {run.error && <RunErrorCard run={run} error={run.error} paths={[]} onShow={() => undefined} />}
      {log.blocks.length > 0 && <OutputView log={log} version={version} live={!ended} />}
      {hasResult && <RunResult run={run} alone={log.blocks.length === 0} />}
      {signs.length > 0 && (
        <div className="px-4 py-2">
          <RunSigns run={run} />
        </div>
      )}
    </div>
  )
}
