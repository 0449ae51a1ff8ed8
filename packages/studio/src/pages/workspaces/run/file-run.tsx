import { CoherexError, type Fix, type Run } from '@coherex/contract'
import { useEffect, useEffectEvent } from 'react'
import { useLiveRun } from '../../../cell/use-live-run.ts'
import { hasEnded } from '../../../data/run/run-get.ts'
import type { EditorMark } from '../../../editor/code-editor.tsx'
import { RunSigns } from '../../../output/details/run-signs.tsx'
import { signsToShow } from '../../../output/details/signs-to-show.ts'
import { placeOfError, type CodePlace } from '../../../output/find-places.ts'
import { runTime, statusWord } from '../../../output/run-words.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { StatusPill } from '../../../ui/pill.tsx'
import { Skeleton, Waiting } from '../../../ui/skeleton.tsx'
import { useNow } from '../../../ui/state/use-now.ts'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { formatMegabytes } from '../../../words/quantity.ts'
import { RunPane } from '../../runs/run-pane.tsx'

/** What an editor shows of a run. */
export interface RunState {
  ended: boolean
  marks: EditorMark[]
  /** Its last value, or why it failed and in which line; undefined while it runs, and where there is none. */
  value: { text: string; isError: boolean; line: number | undefined } | undefined
}

interface FileRunProps {
  id: string
  paths: readonly string[]
  onShow: (place: CodePlace) => void
  /** Another run took its place: the same program with a fix. */
  onMoved?: ((id: string) => void) | undefined
  onFixed?: ((fix: Fix, stdin?: string) => void) | undefined
  /** It is not there for this team. */
  onGone?: (() => void) | undefined
  /** Tells whether it still runs, and the lines to mark when it has failed. */
  onState: (state: RunState) => void
}

/** The run of a file, with what an editor beside it is to mark. */
export function FileRun({ id, paths, onShow, onMoved, onFixed, onGone, onState }: FileRunProps) {
  const live = useLiveRun(id)
  const { run } = live
  const now = useNow(run?.status === 'running')
  const tell = useEffectEvent((isEnded: boolean, marks: EditorMark[]) =>
    onState({ ended: isEnded, marks, value: valueOf(run) }),
  )
  const tellGone = useEffectEvent(() => onGone?.())
  const gone = !run && live.error instanceof CoherexError && live.error.code === 'not_found'
  // one that cannot be read keeps nobody from running the next
  const ended = run ? hasEnded(run) : live.error !== null
  const error = run?.error
  const path = error && placeOfError(error, paths)?.path
  useEffect(() => {
    const { line, column, message } = error ?? {}
    const marks = path === undefined || !line || !message ? [] : [{ path, line, column, message }]
    tell(ended, marks)
  }, [ended, error, path])
  useEffect(() => {
    if (gone) tellGone()
  }, [gone])

  if (!run) {
    if (live.error) return <ErrorState doing="load the run" error={live.error} onRetry={live.retry} />
    return (
      <Waiting label="Loading the run">
        <div className="flex flex-col gap-2 p-4">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-3 w-64" />
        </div>
      </Waiting>
    )
  }
  const time = runTime(run, now)
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-canvas px-4 py-2 text-small">
        <span aria-live="polite">
          <StatusPill status={statusWord(run)} />
        </span>
        {run.status === 'queued' && run.position ? <span>{run.position} ahead</span> : null}
        {time && <span className="font-medium tabular">{time}</span>}
        {run.peakMemoryMb ? <span className="text-muted tabular">{formatMegabytes(run.peakMemoryMb)}</span> : null}
        {run.runtime && <span className="text-muted">{run.runtime.name}</span>}
        <span className="flex-1" />
        <TextLink to="/runs/$id" params={{ id }}>
          Open the run
        </TextLink>
      </div>
      {signsToShow(run).length > 0 && (
        <div className="shrink-0 px-4 py-2">
          <RunSigns run={run} />
        </div>
      )}
      <RunPane live={{ ...live, run }} paths={paths} onShow={onShow} onMoved={onMoved} onFixed={onFixed} />
    </>
  )
}

function valueOf(run: Run | undefined): RunState['value'] {
  if (!run || !hasEnded(run)) return undefined
  if (run.error) return { text: run.error.message, isError: true, line: run.error.line }
  const text = run.resultText ?? (run.result === undefined ? undefined : JSON.stringify(run.result))
  return text === undefined ? undefined : { text, isError: false, line: undefined }
}
