import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { hasEnded } from '../../data/run/run-get.ts'
import { useSandbox, useSandboxCells } from '../../data/sandbox.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { useIsRoomy } from '../../ui/is-roomy.ts'
import { PanelTabs, type PanelTab } from '../../ui/panel-tabs.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import { CellList } from './cell-list.tsx'
import { FilesPanel } from './panels/files-panel.tsx'
import { PreviewsPanel } from './panels/previews-panel.tsx'
import { ProcessesPanel } from './panels/processes-panel.tsx'
import { TerminalPanel } from './panels/terminal-panel.tsx'
import { VariablesPanel } from './panels/variables-panel.tsx'
import { SandboxHeader } from './sandbox-header.tsx'
import { SandboxNotice } from './sandbox-notice.tsx'

/** One sandbox: its cells, and beside them what is in it. */
export function SandboxPage() {
  const { id } = useParams({ from: '/shell/team-places/sandboxes/$id' })
  const { data: sandbox, error, refetch } = useSandbox(id)
  const cells = useSandboxCells(id)
  const newest = cells.items?.[0]
  // what its sessions do and hold is looked at now and then, and whenever a cell begins or ends
  useEffect(() => void refetch(), [newest?.id, newest?.status, refetch])
  const roomy = useIsRoomy()
  const [tab, setTab] = useState<string>()
  usePageTitle(sandbox?.name ?? 'Sandbox')

  if (!sandbox) {
    if (error) return <ErrorState doing="load the sandbox" error={error} onRetry={() => void refetch()} />
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
  const lastEnded = cells.items?.find(hasEnded)?.id
  const tabs: PanelTab[] = [
    {
      value: 'variables',
      label: 'Variables',
      content: <VariablesPanel sandbox={sandbox} after={lastEnded} />,
    },
    { value: 'files', label: 'Files', content: <FilesPanel sandbox={sandbox} after={lastEnded} /> },
    { value: 'processes', label: 'Processes', content: <ProcessesPanel sandbox={sandbox} /> },
    // its shell lives as long as it is there
    { value: 'terminal', label: 'Terminal', content: <TerminalPanel key={id} sandbox={sandbox} />, stays: true },
    { value: 'previews', label: 'Previews', content: <PreviewsPanel sandbox={sandbox} /> },
  ]
  const cellsView = <CellList key={id} sandbox={sandbox} cells={cells} />
  const narrowTabs = [{ value: 'cells', label: 'Cells', content: cellsView }, ...tabs]
  const isOf = (list: readonly PanelTab[]) => list.find(({ value }) => value === tab)?.value ?? list[0]?.value ?? ''
  return (
    <div className="flex h-window min-h-0 flex-col">
      <SandboxHeader sandbox={sandbox} isRunning={cells.items?.some(({ status }) => status === 'running') ?? false} />
      <SandboxNotice sandbox={sandbox} />
      {roomy ? (
        <SplitPane
          name="sandbox"
          direction="row"
          initial={0.36}
          secondLabel="What is in the sandbox"
          second={<PanelTabs label="What is in the sandbox" tabs={tabs} value={isOf(tabs)} onChange={setTab} />}
        >
          {cellsView}
        </SplitPane>
      ) : (
        <PanelTabs label="Parts of the sandbox" tabs={narrowTabs} value={isOf(narrowTabs)} onChange={setTab} />
      )}
    </div>
  )
}
