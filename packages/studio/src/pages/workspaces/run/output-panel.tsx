import type { Fix } from '@coherex/contract'
import { SquareTerminal } from 'lucide-react'
import { useWorkspaceRuns } from '../../../data/run/run-list.ts'
import type { CodePlace } from '../../../output/find-places.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Select } from '../../../ui/field/select.tsx'
import { relativeTime } from '../../../words/relative-time.ts'
import { FileRun, type RunState } from './file-run.tsx'

interface OutputRunsProps {
  workspaceId: string
  runId: string | undefined
  onPick: (runId: string | undefined) => void
  /** The file that the run is a cell of. */
  cellPath: string | undefined
}

/** The last runs of the workspace, to look at one of them again. */
export function OutputRuns({ workspaceId, runId, onPick, cellPath }: OutputRunsProps) {
  const runs = useWorkspaceRuns(workspaceId).items ?? []
  const id = runId ?? runs[0]?.id
  if (!id || (runs.length === 0 && !cellPath)) return null
  return (
    <Select
      label="Run"
      size="small"
      className="w-auto! max-w-64 max-sm:max-w-36"
      value={id}
      choices={[
        // a run is in the list a moment after it began
        ...(runs.some((run) => run.id === id)
          ? []
          : [{ value: id, label: cellPath ? `Cell of ${cellPath}` : 'This run' }]),
        ...runs.map((run) => ({
          value: run.id as string,
          label: `${run.entry} · ${run.status} · ${relativeTime(run.createdAt, Date.now())}`,
          hint: run.createdBy.name,
        })),
      ]}
      onChange={onPick}
    />
  )
}

interface OutputPanelProps extends OutputRunsProps {
  paths: readonly string[]
  onShow: (place: CodePlace) => void
  /** Another run took its place: the same program with a fix. */
  onMoved: (runId: string) => void
  /** A run of this file was fixed: the next one has the same. */
  onFixed: (path: string, fix: Fix & { stdin: string | undefined }) => void
  onState: (runId: string, state: RunState) => void
}

/** What the last run printed, or the one that was picked. */
export function OutputPanel(props: OutputPanelProps) {
  const { workspaceId, runId, paths, onShow, onMoved, onPick, onFixed, onState } = props
  const runs = useWorkspaceRuns(workspaceId).items ?? []
  const id = runId ?? runs[0]?.id
  if (!id) {
    return (
      <Empty icon={SquareTerminal} title="No runs yet">
        Open a program and press Run. Its output stays here.
      </Empty>
    )
  }
  const entry = props.cellPath ?? runs.find((run) => run.id === id)?.entry
  return (
    <FileRun
      key={id}
      id={id}
      paths={entry ? [entry, ...paths.filter((path) => path !== entry)] : paths}
      onShow={onShow}
      onMoved={onMoved}
      onFixed={(fix, stdin) => entry && onFixed(entry, { ...fix, stdin })}
      onGone={() => onPick(undefined)}
      onState={(state) => onState(id, state)}
    />
  )
}
