import { formatDuration, type Artifact } from '@coherex/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Changes } from '../change/changes.tsx'
import { artifactDiffQuery, artifactVersionQuery, useArtifactRuns, useArtifactVersions } from '../data/artifact.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../ui/dialog/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { LoadMore } from '../ui/list/load-more.tsx'
import { SearchInput } from '../ui/list/search-input.tsx'
import { StatusPill } from '../ui/pill.tsx'
import { WaitingLines } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Time } from '../ui/text/time.tsx'

interface HistoryDialogProps {
  artifact: Artifact
  title: string
  /** Why nothing can be restored. */
  why: string | undefined
  onRestore: (code: string) => void
  onShowRun: (runId: string) => void
  onClose: () => void
}

/** What a block was, who made it that, and what came of running it. */
export function HistoryDialog(props: HistoryDialogProps) {
  const { artifact, title, onClose } = props
  return (
    <Dialog open wide onClose={onClose} title={`History of ${title}`}>
      <DialogBody>
        <Tabs
          label="History"
          tabs={[
            { value: 'versions', label: 'Versions', content: <Versions {...props} /> },
            { value: 'runs', label: 'Runs', content: <PastRuns {...props} /> },
          ]}
        />
      </DialogBody>
      <DialogActions>
        <span className="flex-1 text-small text-muted">Version {artifact.version} is shown in the conversation.</span>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

function Versions({ artifact, why, onRestore, onClose }: HistoryDialogProps) {
  const { id } = artifact
  const versions = useArtifactVersions(id)
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<number>()
  if (versions.error)
    return <ErrorState doing="read the versions" error={versions.error} onRetry={() => void versions.refetch()} />
  if (!versions.items)
    return <WaitingLines label="Loading versions" className="gap-3" lines={['h-4 w-72', 'h-4 w-60']} />

  async function restore(version: number) {
    const { code } = await queryClient.fetchQuery(artifactVersionQuery(id, version))
    onRestore(code)
    onClose()
  }
  return (
    <ul className="flex flex-col gap-1">
      {versions.items.map(({ version, createdAt, createdBy }) => (
        <li key={version} className="flex flex-col gap-1.5 rounded-md border border-line px-3 py-1.5 text-dense">
          <div className="flex flex-wrap items-center gap-2">
            <span className="font-medium tabular">Version {version}</span>
            <span className="text-muted">
              {createdBy.name}, <Time at={createdAt} />
            </span>
            <span className="ml-auto flex gap-1">
              {version > 1 && (
                <Button
                  size="small"
                  look="quiet"
                  aria-expanded={open === version}
                  onClick={() => setOpen(open === version ? undefined : version)}
                >
                  Changes
                </Button>
              )}
              {version !== artifact.version && (
                <Button
                  size="small"
                  look="quiet"
                  icon={<RotateCcw aria-hidden />}
                  disabled={why !== undefined}
                  onClick={() => void restore(version)}
                >
                  Restore
                </Button>
              )}
            </span>
          </div>
          {open === version && <VersionDiff id={id} version={version} />}
        </li>
      ))}
      <LoadMore pages={versions} />
    </ul>
  )
}

function VersionDiff({ id, version }: { id: string; version: number }) {
  const { data, error, refetch } = useQuery(artifactDiffQuery(id, { from: version - 1, to: version }))
  if (error) return <ErrorState doing="compare the versions" error={error} onRetry={() => void refetch()} />
  return data ? <Changes diff={data.diff} label={`Changes of version ${version}`} /> : null
}

function PastRuns({ artifact, onShowRun, onClose }: HistoryDialogProps) {
  const [search, setSearch] = useState('')
  const runs = useArtifactRuns(artifact.id, search)
  if (runs.error) return <ErrorState doing="read the runs" error={runs.error} onRetry={() => void runs.refetch()} />
  if (!runs.items) return <WaitingLines label="Loading runs" className="gap-3" lines={['h-4 w-72', 'h-4 w-60']} />
  if (runs.items.length === 0 && search === '') return <p className="text-dense text-muted">It has not run yet.</p>
  return (
    <ul className="flex flex-col gap-1">
      <li className="flex pb-1">
        <SearchInput label="Search what was printed" value={search} onSearch={setSearch} />
      </li>
      {runs.items.length === 0 && <li className="text-dense text-muted">No run printed “{search}”.</li>}
      {runs.items.map((run) => (
        <li
          key={run.id}
          className="flex flex-wrap items-center gap-2 rounded-md border border-line px-3 py-1.5 text-dense"
        >
          <StatusPill status={run.status} />
          <span className="text-muted">
            {run.createdBy.name}, <Time at={run.createdAt} />, version {run.artifactVersion},{' '}
            {run.reportedBy ? 'in a browser' : 'on the server'}, {formatDuration(run.durationMs)}
          </span>
          <Button
            size="small"
            look="quiet"
            className="ml-auto"
            onClick={() => {
              onShowRun(run.id)
              onClose()
            }}
          >
            Show output
          </Button>
        </li>
      ))}
      <LoadMore pages={runs} />
    </ul>
  )
}
