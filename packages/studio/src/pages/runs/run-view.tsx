import { CoherexError, type Run } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLiveRun } from '../../cell/use-live-run.ts'
import { hasEnded } from '../../data/run/run-get.ts'
import { runProgramQuery } from '../../data/run/run-program.ts'
import { RunFigures } from '../../output/details/run-figures.tsx'
import { RunSigns } from '../../output/details/run-signs.tsx'
import type { CodePlace } from '../../output/find-places.ts'
import { languageNames, statusWord } from '../../output/run-words.ts'
import { announce } from '../../shell/announce.ts'
import { Empty } from '../../ui/empty.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import { ShortId } from '../../ui/text/copy.tsx'
import { RunActions } from './run-actions.tsx'
import { RunCode } from './run-code.tsx'
import { RunPane } from './run-pane.tsx'

interface RunViewProps {
  id: string
  /** Code beside what came of it, instead of behind a tab. */
  wide: boolean
  onClose?: () => void
}

/** A run as it happens or as it went. */
export function RunView({ id, wide, onClose }: RunViewProps) {
  const live = useLiveRun(id)
  const program = useQuery(runProgramQuery(id))
  const [tab, setTab] = useState('output')
  const [reveal, setReveal] = useState<CodePlace>()
  const { run } = live
  useEndNotice(run)

  if (!run)
    return live.error ? (
      <RunMissing error={live.error} onRetry={live.retry} />
    ) : (
      <WaitingLines
        label="Loading the run"
        className="gap-3 p-4"
        lines={['h-5 w-48', 'h-3 w-96', 'mt-4 h-3 w-72', 'h-3 w-60']}
      />
    )
  const show = (place: CodePlace) => {
    setTab('code')
    setReveal({ ...place })
  }
  const paths = program.data ? [program.data.entry, ...Object.keys(program.data.files)] : []
  const code = program.data ? (
    <RunCode id={id} program={program.data} error={run.error} reveal={reveal} />
  ) : program.error ? (
    <ErrorState doing="load the code" error={program.error} onRetry={() => void program.refetch()} />
  ) : (
    <WaitingLines label="Loading the code" className="gap-2 p-4" lines={['h-3 w-64', 'h-3 w-80', 'h-3 w-52']} />
  )
  const Heading = onClose ? 'h2' : 'h1'
  const pane = (
    <RunPane
      live={{ ...live, run }}
      paths={paths}
      onShow={show}
      {...(wide ? {} : { tab, onTab: setTab, codeTab: { value: 'code', label: 'Code', content: code } })}
    />
  )
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex shrink-0 flex-col gap-2.5 border-b border-line bg-canvas px-4 py-3">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="flex min-w-0 flex-wrap items-center gap-2.5">
            <Heading className="text-lead font-semibold">{languageNames[run.language]} run</Heading>
            <StatusPill status={statusWord(run)} />
            <ShortId id={run.id} />
          </div>
          <RunActions run={run} onClose={onClose} />
        </div>
        <RunFigures run={run} />
        <RunSigns run={run} />
      </header>
      {wide ? (
        <SplitPane name="run" direction="row" second={pane} secondLabel="Output of the run" initial={0.52}>
          {code}
        </SplitPane>
      ) : (
        <div className="flex min-h-0 flex-1 flex-col bg-surface">{pane}</div>
      )}
    </div>
  )
}

/** Says how a run ended to those who cannot see its pill change. */
function useEndNotice(run: Run | undefined): void {
  const status = run?.status
  const last = useRef(status)
  useEffect(() => {
    const before = last.current
    last.current = status
    if (status && before && before !== status && hasEnded({ status })) announce(`The run ${status}`)
  }, [status])
}

function AllRuns() {
  return (
    <LinkButton to="/executions" search={{ kind: 'code' }}>
      All runs
    </LinkButton>
  )
}

function RunMissing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  // an address that was typed or cut short may hold what is no id at all
  if (error instanceof CoherexError && (error.code === 'not_found' || error.code === 'invalid_input')) {
    return (
      <Empty icon={SearchX} title="Run not found" action={<AllRuns />}>
        It belongs to another team, or its address is wrong.
      </Empty>
    )
  }
  return <ErrorState doing="load the run" error={error} onRetry={onRetry} />
}
