import type { Workspace, WorkspaceFile } from '@coherex/contract'
import { FileCode2, FileX } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useProposalList } from '../../data/proposal.ts'
import { useRight, type Right } from '../../data/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { useIsRoomy } from '../../ui/is-roomy.ts'
import { SplitPane } from '../../ui/split-pane.tsx'
import { ScratchRun } from '../scratch/scratch-run.tsx'
import { DropZone } from './drop-zone.tsx'
import { BlobFile } from './file/blob-file.tsx'
import { FileDialogs, type FileDialog } from './file/file-dialogs.tsx'
import { FileHeader } from './file/file-header.tsx'
import { TextFile } from './file/text-file.tsx'
import { useFileDrafts } from './file/use-file-drafts.ts'
import { useSaveFile, type SaveWay } from './file/use-save-file.ts'
import { FilesPane } from './files-pane.tsx'
import { CompareView } from './history/compare-view.tsx'
import { HistoryPanel } from './history/history-panel.tsx'
import { Panel } from './panels/panel.tsx'
import { ProposalsPanel } from './panels/proposals-panel.tsx'
import { SearchPanel } from './panels/search-panel.tsx'
import { useRunFile } from './use-run-file.ts'
import { useUpload } from './use-upload.ts'
import { WorkspaceHeader } from './workspace-header.tsx'
import type { WorkspacePanel, WorkspacePlace } from './workspace-place.ts'

const VariablesPanel = lazy(async () => ({
  default: (await import('../variables/variables-panel.tsx')).VariablesPanel,
}))

interface WorkspaceViewProps {
  workspace: Workspace
  files: readonly WorkspaceFile[]
  /** The number of the last version. */
  version: number
  place: WorkspacePlace
  onPlace: (place: WorkspacePlace, replace?: boolean) => void
}

/** Files, the open one, and what is open beside it. With little room one of them at a time. */
export function WorkspaceView({ workspace, files, version, place, onPlace }: WorkspaceViewProps) {
  const { id } = workspace
  const roomy = useIsRoomy()
  const right = useRight('editor', 'change files')
  const mayRun = useRight('editor', 'run code')
  const mayWrite = workspace.archivedAt ? archivedRight : right
  const drafts = useFileDrafts(id)
  const saving = useSaveFile(id, drafts)
  const taken = useMemo(() => new Set(files.map(({ path }) => path)), [files])
  const { upload, progress } = useUpload(id, taken)
  const proposals = useProposalList(id).items?.length ?? 0
  const [dialog, setDialog] = useState<FileDialog>()

  const { file: path, line, panel, from, to } = place
  const file = files.find((one) => one.path === path)
  const isCompared = from !== undefined && to !== undefined
  const beside: WorkspacePlace = panel && roomy ? { panel } : {}
  const open = (next: string, at?: number) => onPlace({ ...beside, file: next, ...(at ? { line: at } : {}) })
  const showPanel = (next: WorkspacePanel | undefined) => {
    const { panel: _panel, ...rest } = place
    onPlace(next ? { ...rest, panel: next } : rest, true)
  }
  const compare = (before: number, after: number) => {
    onPlace({ ...beside, ...(path ? { file: path } : {}), from: before, to: after })
  }
  const showFiles = () => onPlace({})
  const running = useRunFile(id, drafts, () => showPanel('run'))
  const run = () => path && mayRun.may && running.start({ path })
  const save = (way: SaveWay = 'merge') => {
    // of a file that is gone there is nothing to merge with: saving makes it again
    if (path && mayWrite.may) void saving.save(path, file ? way : 'over')
  }
  useKeys({ onSave: () => save(), onRun: run })

  const filesPane = (
    <FilesPane
      files={files}
      active={isCompared ? undefined : path}
      unsaved={drafts.unsaved}
      mayWrite={mayWrite}
      progress={progress}
      onOpen={(next) => open(next)}
      onNew={() => setDialog({ kind: 'new' })}
      onUpload={(given) => void upload(given)}
      onRename={(at) => setDialog({ kind: 'rename', path: at })}
      onDelete={(at) => setDialog({ kind: 'delete', path: at })}
    />
  )

  const main = isCompared ? (
    <CompareView
      id={id}
      from={from}
      to={to}
      last={version}
      mayWrite={mayWrite}
      onCompare={compare}
      onClose={() => onPlace({ ...beside, ...(path ? { file: path } : {}) })}
    />
  ) : path && (file || drafts.get(path)) ? (
    <>
      <FileHeader
        id={id}
        path={path}
        file={file}
        dirty={drafts.get(path) !== undefined}
        saving={saving.saving}
        starting={running.starting}
        mayWrite={mayWrite}
        mayRun={mayRun}
        onSave={() => save()}
        onRun={run}
        onRename={() => setDialog({ kind: 'rename', path })}
        onDelete={() => setDialog({ kind: 'delete', path })}
        onHistory={() => showPanel('history')}
        onFiles={roomy ? undefined : showFiles}
      />
      {file?.kind === 'blob' ? (
        <BlobFile key={file.hash} id={id} file={file} />
      ) : (
        <TextFile
          key={path}
          id={id}
          path={path}
          file={file}
          line={line}
          drafts={drafts}
          mayWrite={mayWrite}
          conflict={saving.hasConflict(path)}
          marks={running.marks}
          onSave={save}
          onDiscard={() => saving.discard(path)}
          onRun={run}
        />
      )}
    </>
  ) : path ? (
    <Empty icon={FileX} title="There is no such file" action={<Button onClick={showFiles}>All files</Button>}>
      <code>{path}</code> was deleted or moved. The history knows what became of it.
    </Empty>
  ) : (
    <Empty icon={FileCode2} title="Open a file">
      Pick one on the left to read, edit and run it. The history shows who changed what.
    </Empty>
  )

  const panels: Record<WorkspacePanel, { title: string; content: React.ReactNode }> = {
    run: {
      title: running.run ? `Run of ${running.run.path}` : 'Run',
      content: running.run ? (
        <ScratchRun
          key={running.run.id}
          id={running.run.id}
          paths={[running.run.path, ...[...taken].filter((one) => one !== running.run?.path)]}
          onShow={(at) => open(at.path, at.line)}
          onState={({ marks }) => running.setMarks(marks)}
        />
      ) : (
        <Empty icon={FileCode2} title="Output comes here">
          Open a program and press Run. Every run is kept under Runs.
        </Empty>
      ),
    },
    search: { title: 'Search', content: <SearchPanel id={id} onOpen={open} /> },
    history: {
      title: 'History',
      content: (
        <HistoryPanel
          id={id}
          last={version}
          file={path}
          shown={isCompared && from === to - 1 ? to : undefined}
          mayWrite={mayWrite}
          onCompare={compare}
        />
      ),
    },
    proposals: { title: 'Proposals', content: <ProposalsPanel id={id} mayWrite={mayWrite} onOpen={open} /> },
    variables: {
      title: 'Variables',
      content: (
        <Suspense>
          <VariablesPanel owner={{ kind: 'workspace', id }} />
        </Suspense>
      ),
    },
  }
  const side = panel && (
    <Panel title={panels[panel].title} onClose={() => showPanel(undefined)}>
      {panels[panel].content}
    </Panel>
  )

  return (
    <DropZone enabled={mayWrite.may} onDrop={(given) => void upload(given)}>
      <WorkspaceHeader
        workspace={workspace}
        panel={panel}
        proposalCount={proposals}
        onPanel={(next) => showPanel(next === panel ? undefined : next)}
      />
      {roomy ? (
        <div className="flex min-h-0 flex-1">
          <nav aria-label="Files" className="flex w-60 shrink-0 flex-col border-r border-line">
            {filesPane}
          </nav>
          <SplitPane name="workspace" direction="row" secondLabel="Beside the file" initial={0.38} second={side}>
            <div className="flex min-h-0 flex-1 flex-col bg-surface">{main}</div>
          </SplitPane>
        </div>
      ) : (
        <div className="flex min-h-0 flex-1 flex-col bg-surface">{side || (path || isCompared ? main : filesPane)}</div>
      )}
      {dialog && (
        <FileDialogs
          id={id}
          dialog={dialog}
          files={files}
          onClose={() => setDialog(undefined)}
          onMade={(made) => open(made)}
          onMoved={(before, after) => {
            drafts.move(before, after)
            if (path === before || path?.startsWith(`${before}/`)) open(after + path.slice(before.length))
          }}
          onDeleted={(gone) => path === gone && onPlace(beside, true)}
        />
      )}
    </DropZone>
  )
}

const archivedRight: Right = { may: false, why: 'It is archived. Take it back from the archive to change it.' }

/** Ctrl or Cmd with S saves, with Enter runs; within the editor Enter is the editor's own. */
function useKeys({ onSave, onRun }: { onSave: () => unknown; onRun: () => unknown }): void {
  const save = useEffectEvent(onSave)
  const run = useEffectEvent(onRun)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.defaultPrevented || event.shiftKey || event.altKey) return
      if (event.key !== 's' && event.key !== 'Enter') return
      event.preventDefault()
      if (event.key === 's') save()
      else run()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
