import { languageOfFile } from '@coherex/contract'
import {
  Braces,
  CircleAlert,
  Eye,
  Files,
  GitPullRequestArrow,
  History,
  ListTree,
  MessageSquare,
  Package,
  Play,
  ScrollText,
  Search,
  Settings2,
  SlidersHorizontal,
  Sparkles,
  SquareTerminal,
} from 'lucide-react'
import { lazy } from 'react'
import { fixOptions } from '../../cell/options/typed-options.ts'
import { fileUrl } from '../../data/file.ts'
import { Button } from '../../ui/button.tsx'
import type { DockPanel } from '../../workbench/dock.tsx'
import { downloadFrom } from './file/download-from.ts'
import { FilesButtons } from './files/files-buttons.tsx'
import type { TreeActions } from './tree/tree-menu.tsx'
import type { WorkspaceWork } from './use-workspace-work.ts'

// the page is here before its panels are: each comes with what it shows
const FilesPane = lazy(async () => ({ default: (await import('./files/files-pane.tsx')).FilesPane }))
const PreviewPanel = lazy(async () => ({ default: (await import('./file/preview-panel.tsx')).PreviewPanel }))
const HistoryPanel = lazy(async () => ({ default: (await import('./history/history-panel.tsx')).HistoryPanel }))
const ProposalsPanel = lazy(async () => ({ default: (await import('./panels/proposals-panel.tsx')).ProposalsPanel }))
const SearchPanel = lazy(async () => ({ default: (await import('./panels/search-panel.tsx')).SearchPanel }))
const OutputPanel = lazy(async () => ({ default: (await import('./run/output-panel.tsx')).OutputPanel }))
const OutputRuns = lazy(async () => ({ default: (await import('./run/output-panel.tsx')).OutputRuns }))
const SessionBar = lazy(async () => ({ default: (await import('./run/session-bar.tsx')).SessionBar }))
const SessionVariables = lazy(async () => ({
  default: (await import('./run/session-variables.tsx')).SessionVariables,
}))
const TerminalPanel = lazy(async () => ({ default: (await import('./run/terminal-panel.tsx')).TerminalPanel }))
const ProblemsPanel = lazy(async () => ({ default: (await import('./panels/problems-panel.tsx')).ProblemsPanel }))
const LogPanel = lazy(async () => ({ default: (await import('./log/log-panel.tsx')).LogPanel }))
const OutlinePanel = lazy(async () => ({ default: (await import('./outline/outline-panel.tsx')).OutlinePanel }))
const ChatPanel = lazy(async () => ({ default: (await import('./chat/chat-panel.tsx')).ChatPanel }))
const ConfigPanel = lazy(async () => ({ default: (await import('./config/config-panel.tsx')).ConfigPanel }))
const PackagesPanel = lazy(async () => ({ default: (await import('./packages/packages-panel.tsx')).PackagesPanel }))
const VariablesPanel = lazy(async () => ({
  default: (await import('../variables/variables-panel.tsx')).VariablesPanel,
}))

/** Files, search, outline, history and proposals. */
export function leftPanels(work: WorkspaceWork, proposalCount: number | undefined): DockPanel[] {
  const { workspace, files, version, path, compared, mayWrite, setDialog, upload } = work
  const { id } = workspace
  return [
    {
      value: 'files',
      label: 'Files',
      icon: Files,
      actions: mayWrite.may && (
        <FilesButtons onNew={() => setDialog({ kind: 'new', folder: '' })} onUpload={(given) => void upload(given)} />
      ),
      content: (
        <FilesPane
          files={files}
          folders={work.folders}
          marks={work.changedSince}
          revealed={work.revealed}
          active={compared ? undefined : path}
          progress={work.progress}
          actions={treeActions(work)}
          written={
            work.running.runId
              ? {
                  runId: work.running.runId,
                  taken: work.taken,
                  mayWrite,
                  onSave: (given) => upload(given, 'Saved'),
                }
              : undefined
          }
        />
      ),
    },
    {
      value: 'search',
      label: 'Search',
      icon: Search,
      content: (
        <SearchPanel
          id={id}
          live={mayWrite.may ? work.live.workspace : undefined}
          searches={work.searches}
          onOpen={work.open}
        />
      ),
    },
    {
      value: 'outline',
      label: 'Outline',
      icon: ListTree,
      content: <OutlinePanel live={work.live.workspace} path={path} cursor={work.cursor} onOpen={work.open} />,
    },
    {
      value: 'history',
      label: 'History',
      icon: History,
      content: (
        <HistoryPanel
          id={id}
          last={version}
          file={path}
          scope={work.historyScope}
          onScope={work.setHistoryScope}
          shown={compared}
          at={work.place.at}
          mayWrite={mayWrite}
          onCompare={work.compare}
          onShowAt={work.showAt}
        />
      ),
    },
    {
      value: 'proposals',
      label: 'Proposals',
      icon: GitPullRequestArrow,
      count: proposalCount,
      content: <ProposalsPanel id={id} mayWrite={mayWrite} onOpen={work.open} />,
    },
  ]
}

function treeActions({
  workspace,
  mayWrite,
  mayRun,
  setDialog,
  acts,
  open,
  run,
  setBeside,
}: WorkspaceWork): TreeActions {
  const reads: TreeActions = {
    onOpen: (path) => open(path),
    onOpenBeside: setBeside,
    onDownload: (path) => downloadFrom(fileUrl(workspace.id, path), path),
    onRun: mayRun.may ? (path) => run(path) : undefined,
  }
  if (!mayWrite.may) return reads
  return {
    ...reads,
    onNewFile: (folder) => setDialog({ kind: 'new', folder }),
    onNewFolder: (folder) => setDialog({ kind: 'new-folder', folder }),
    onRename: (path) => setDialog({ kind: 'rename', path }),
    onDelete: (path) => setDialog({ kind: 'delete', path }),
    onDuplicate: (path) => void acts.duplicate(path),
    onMove: acts.move,
    onExportTool: (path) => setDialog({ kind: 'export-tool', path }),
  }
}

/** Output of runs, problems, variables of the session, a terminal and a log. */
export function bottomPanels(work: WorkspaceWork, problemCount: number): DockPanel[] {
  const { workspace, running, open, options, help } = work
  const [wrong] = running.marks
  const session = {
    language: work.path === undefined ? undefined : (languageOfFile(work.path) ?? 'python'),
    after: `${running.runId} ${running.isLive} ${work.session.ended}`,
  }
  const runs = {
    ...{ workspaceId: workspace.id, runId: running.runId, onPick: running.show },
    cellPath: running.cellPath,
  }
  return [
    {
      value: 'output',
      label: 'Output',
      icon: Play,
      actions: (
        <>
          {help && wrong && (
            <Button
              size="small"
              look="quiet"
              icon={<Sparkles aria-hidden />}
              onClick={() => help.askAbout('fix', wrong.path, wrong)}
            >
              Fix this error
            </Button>
          )}
          {work.sandboxId && <SessionBar sandboxId={work.sandboxId} {...session} />}
          <OutputRuns {...runs} />
        </>
      ),
      content: (
        <OutputPanel
          {...runs}
          paths={[...work.taken]}
          onShow={(at) => open(at.path, at.line)}
          onMoved={running.follow}
          onFixed={(path, fix) => options.put(path, fixOptions(options.latest(path), fix))}
          onState={running.tellState}
        />
      ),
    },
    {
      value: 'problems',
      label: 'Problems',
      icon: CircleAlert,
      count: problemCount,
      content: (
        <ProblemsPanel
          folder={`workspaces/${workspace.id}`}
          onOpen={open}
          onFix={help && ((problem) => help.askAbout('fix', problem.path, problem))}
        />
      ),
    },
    {
      value: 'session',
      label: 'Variables',
      icon: Braces,
      content: <SessionVariables sandboxId={work.sandboxId} {...session} />,
    },
    {
      value: 'terminal',
      label: 'Terminal',
      icon: SquareTerminal,
      content: (
        <TerminalPanel
          workspace={workspace}
          live={work.live.workspace}
          sandboxId={work.sandboxId}
          onSandbox={work.setSandbox}
          mayWrite={work.mayWrite}
        />
      ),
    },
    {
      value: 'log',
      label: 'Log',
      icon: ScrollText,
      content: (
        <LogPanel
          id={workspace.id}
          onCompare={work.compare}
          onRun={(runId) => {
            running.show(runId)
            work.bench.show('bottom', 'output')
          }}
          onProposals={() => work.bench.show('left', 'proposals')}
        />
      ),
    },
  ]
}

/** Chat about the workspace, the configuration of the open file, a preview, packages and variables. */
export function rightPanels(work: WorkspaceWork): DockPanel[] {
  const { workspace, files, path, file, live, mayWrite, open, cursor } = work
  const { id } = workspace
  return [
    {
      value: 'chat',
      label: 'Chat',
      icon: MessageSquare,
      content: <ChatPanel workspaceId={id} openFile={path} cursor={cursor} />,
    },
    {
      value: 'config',
      label: 'Config',
      icon: SlidersHorizontal,
      content: (
        <ConfigPanel
          id={id}
          path={path}
          file={file}
          files={files}
          live={live.workspace}
          options={path === undefined ? undefined : work.options.get(path)}
          mayRun={work.mayRun}
          mayWrite={mayWrite}
          onOptions={(next) => path !== undefined && work.options.put(path, next)}
          onPanel={(panel) => work.bench.show('right', panel)}
          onPublish={(what, needs) => work.setDialog({ kind: 'export-tool', path: what, needs })}
          onOpen={open}
        />
      ),
    },
    {
      value: 'preview',
      label: 'Preview',
      icon: Eye,
      content: <PreviewPanel id={id} path={path} file={file} live={live.workspace} />,
    },
    {
      value: 'packages',
      label: 'Packages',
      icon: Package,
      content: <PackagesPanel id={id} files={files} mayWrite={mayWrite} onOpen={open} />,
    },
    {
      value: 'variables',
      label: 'Variables',
      icon: Settings2,
      content: <VariablesPanel owner={{ kind: 'workspace', id }} />,
    },
  ]
}
