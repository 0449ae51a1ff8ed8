import { useQueries, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Braces, Cpu, FolderOpen, Globe, SquareTerminal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { cellsQuery } from '../../data/cell.ts'
import { hasEnded, runQuery } from '../../data/run/run-get.ts'
import { useSandbox, useSandboxRuns } from '../../data/sandbox.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { Dock, type DockPanel } from '../../workbench/dock.tsx'
import { useWorkbench } from '../../workbench/use-workbench.ts'
import { Workbench } from '../../workbench/workbench.tsx'
import { Notebook } from './notebook/notebook.tsx'
import { FilesPanel } from './panels/files-panel.tsx'
import { PreviewsPanel } from './panels/previews-panel.tsx'
import { ProcessesPanel } from './panels/processes-panel.tsx'
import { Terminals } from './panels/terminals.tsx'
import { VariablesPanel } from './panels/variables-panel.tsx'
import { SandboxHeader } from './sandbox-header.tsx'
import { SandboxNotice } from './sandbox-notice.tsx'
import { SandboxStatus } from './sandbox-status.tsx'

/** One sandbox: its notebook, and around it what is in it. */
export function SandboxPage() {
  const { id } = useParams({ from: '/shell/team-places/sandboxes/$id' })
  const { data: sandbox, error, refetch } = useSandbox(id)
  const cells = useQuery(cellsQuery(id))
  const runs = useSandboxRuns(id)
  const newest = runs.items?.[0]
  // what its sessions do and hold is looked at now and then, and whenever a cell begins or ends
  useEffect(() => void refetch(), [newest?.id, newest?.status, refetch])
  const bench = useWorkbench('sandbox', { panels: { right: 'variables', bottom: 'terminal' }, open: ['right'] })
  const hasOutputs = useFirstOutputs(
    id,
    cells.data?.flatMap(({ runId }) => runId ?? []),
  )
  usePageTitle(sandbox?.name ?? 'Sandbox')

  if (!sandbox || (!cells.data && sandbox.status !== 'ended') || !hasOutputs) {
    const failure = error ?? cells.error
    if (failure) return <ErrorState doing="load the sandbox" error={failure} onRetry={() => void refetch()} />
    return (
      <Waiting label="Loading the sandbox">
        <div className="flex flex-col gap-3 p-8">
          <Skeleton className="h-6 w-48" />
          <Skeleton className="h-4 w-80" />
        </div>
      </Waiting>
    )
  }
  // the newest that has ended: what it left is what is to be seen
  const lastEnded = runs.items?.find(hasEnded)?.id
  const right: DockPanel[] = [
    {
      value: 'variables',
      label: 'Variables',
      icon: Braces,
      content: <VariablesPanel sandbox={sandbox} after={lastEnded} />,
    },
    { value: 'files', label: 'Files', icon: FolderOpen, content: <FilesPanel sandbox={sandbox} after={lastEnded} /> },
    { value: 'previews', label: 'Previews', icon: Globe, content: <PreviewsPanel sandbox={sandbox} /> },
  ]
  const bottom: DockPanel[] = [
    {
      value: 'terminal',
      label: 'Terminal',
      icon: SquareTerminal,
      content: <Terminals key={id} sandbox={sandbox} />,
    },
    { value: 'processes', label: 'Processes', icon: Cpu, content: <ProcessesPanel sandbox={sandbox} /> },
  ]
  return (
    <Workbench
      bench={bench}
      Dock={Dock}
      centreLabel="Notebook"
      right={right}
      bottom={bottom}
      header={
        <SandboxHeader
          sandbox={sandbox}
          cells={cells.data ?? []}
          isRunning={runs.items?.some(({ status }) => status === 'running') ?? false}
        />
      }
      status={<SandboxStatus sandbox={sandbox} />}
    >
      <SandboxNotice sandbox={sandbox} />
      <Notebook key={id} sandbox={sandbox} cells={cells.data ?? []} />
    </Workbench>
  )
}

const firstRuns = 8

/** Whether the outputs that are seen first are here: coming one by one, they would push the cells below them away. */
function useFirstOutputs(id: string, runIds: readonly string[] | undefined): boolean {
  const [shown, setShown] = useState<string>()
  const first = shown === id ? [] : (runIds ?? []).slice(0, firstRuns)
  const isHere = useQueries({
    queries: first.map((runId) => runQuery(runId)),
    combine: (results) => results.every(({ isPending }) => !isPending),
  })
  if (runIds && isHere && shown !== id) setShown(id)
  return runIds === undefined || shown === id
}
