import type { WorkspaceFile } from '@coherex/contract'
import { FileCode2, FileX } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { countOptions, noOptions, undoReset } from '../../cell/options/typed-options.ts'
import { useProposalList } from '../../data/proposal.ts'
import { onOpenPlace, type OpenPlace } from '../../editor/open-place.ts'
import { useProblems } from '../../editor/problems.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import { useIsRoomy } from '../../ui/state/is-roomy.ts'
import { toast } from '../../ui/toast/toast.ts'
import { Dock } from '../../workbench/dock.tsx'
import { OpenTabs } from '../../workbench/open-tabs.tsx'
import type { DockSide } from '../../workbench/use-workbench.ts'
import { Workbench } from '../../workbench/workbench.tsx'
import { FileActions } from './file/file-actions.tsx'
import { DropZone } from './files/drop-zone.tsx'
import type { FileOptions } from './run/use-file-options.ts'
import { tabsOf } from './tabs-of.tsx'
import { useWorkspaceCommands } from './use-workspace-commands.ts'
import { useWorkspaceKeys } from './use-workspace-keys.ts'
import { useWorkspaceWork, type WorkspaceViewProps, type WorkspaceWork } from './use-workspace-work.ts'
import { WorkspaceHeader } from './workspace-header.tsx'
import { bottomPanels, leftPanels, rightPanels } from './workspace-panels.tsx'
import type { WorkspacePanel } from './workspace-place.ts'
import { WorkspaceStatus } from './workspace-status.tsx'

const BesideFile = lazy(async () => ({ default: (await import('./file/beside-file.tsx')).BesideFile }))
const OpenFiles = lazy(async () => ({ default: (await import('./file/open-files.tsx')).OpenFiles }))
const Breadcrumbs = lazy(async () => ({ default: (await import('./outline/breadcrumbs.tsx')).Breadcrumbs }))
const CompareView = lazy(async () => ({ default: (await import('./history/compare-view.tsx')).CompareView }))
const VersionView = lazy(async () => ({ default: (await import('./history/version-view.tsx')).VersionView }))
const QuickOpen = lazy(async () => ({ default: (await import('./files/quick-open.tsx')).QuickOpen }))
const HelpAnswer = lazy(async () => ({ default: (await import('./help/help-answer.tsx')).HelpAnswer }))
const PackageTypes = lazy(async () => ({ default: (await import('./packages/package-types.tsx')).PackageTypes }))
const ScratchBar = lazy(async () => ({ default: (await import('../scratch/scratch-bar.tsx')).ScratchBar }))
const FileDialogs = lazy(async () => ({ default: (await import('./file/file-dialogs.tsx')).FileDialogs }))

/** A workspace on its workbench: files left, open files in the middle, output below, chat right. */
export function WorkspaceView(props: WorkspaceViewProps) {
  const work = useWorkspaceWork(props)
  const { workspace, files, version, path, file, mayWrite, dialog, setDialog } = work
  const proposals = useProposalList(workspace.id).items?.length
  const problems = useProblems(`workspaces/${workspace.id}`).length
  useFirstPlace(work)
  useOpenedPlaces(work)
  useWorkspaceCommands(work)
  useWorkspaceKeys({ onRun: () => work.run(), onGoToFile: () => work.setGoing(true), onSearch: work.search })

  return (
    <DropZone enabled={mayWrite.may} onDrop={(given) => void work.upload(given)}>
      {mayWrite.may && /\.[cm]?[jt]sx?$/.test(path ?? '') && (
        <Suspense>
          <PackageTypes id={workspace.id} files={files} />
        </Suspense>
      )}
      <Workbench
        bench={work.bench}
        Dock={Dock}
        header={
          <WorkspaceHeader workspace={workspace} scratch={workspace.reach === 'private' && <Scratch {...work} />} />
        }
        left={leftPanels(work, proposals)}
        bottom={bottomPanels(work, problems)}
        right={rightPanels(work)}
        centreLabel="Editor"
        status={
          <WorkspaceStatus
            id={workspace.id}
            isArchived={workspace.archivedAt !== null}
            version={version}
            path={path}
            file={file}
            live={work.live}
            followed={work.following.followed}
            onFollow={work.following.follow}
            cursor={work.cursor}
            sandboxId={work.sandboxId}
            onSandbox={() => work.bench.show('bottom', 'terminal')}
            onRuns={() => work.bench.show('bottom', 'output')}
            onAgent={() => work.bench.show('right', 'chat')}
            help={work.help}
          />
        }
      >
        <Centre {...work} />
      </Workbench>
      <Suspense>
        {work.isGoing && (
          <QuickOpen
            paths={files.map((one) => one.path)}
            open={work.tabs.values}
            onPick={work.open}
            onClose={() => work.setGoing(false)}
          />
        )}
        {dialog && (
          <FileDialogs
            id={workspace.id}
            dialog={dialog}
            files={files}
            onClose={() => setDialog(undefined)}
            onMade={work.openMade}
            onFolder={work.addFolder}
            onMoved={work.follow}
            onDeleted={work.tabs.remove}
          />
        )}
      </Suspense>
    </DropZone>
  )
}

/** The languages and examples of one's own workspace. */
function Scratch({ workspace, files, path, options, live, open }: WorkspaceWork) {
  return (
    <Suspense fallback={<span className="w-58" />}>
      <ScratchBar
        id={workspace.id}
        files={files}
        path={path}
        optionsOfFile={options.get}
        onOptions={options.put}
        live={live.workspace}
        onOpen={open}
      />
    </Suspense>
  )
}

/** The editor asks for other files: there is what it was asked to go to. */
function useOpenedPlaces({ workspace, open }: WorkspaceWork): void {
  const show = useEffectEvent((place: OpenPlace) => open(place.path, place.line))
  useEffect(() => onOpenPlace(`workspaces/${workspace.id}`, (place) => show(place)), [workspace.id])
}

/** Sets the options of a file to what they are without asking, with a way back. */
function resetOptions(options: FileOptions, path: string): void {
  const before = options.latest(path)
  options.put(path, noOptions)
  if (countOptions(before) === 0) return
  const undo = () => options.put(path, undoReset(before, options.latest(path)))
  toast({ title: 'Options were reset', tone: 'info', action: { label: 'Undo', run: undo } })
}

/** The tabs, and the file or comparison in sight. */
function Centre(work: WorkspaceWork) {
  const { workspace, version, place, onPlace, path, file, compared, byPath, mayWrite, mayRun } = work
  const { tabs, live, options, forms, running, bench, setDialog, open } = work
  const { id } = workspace
  // what others delete while it is open stays in sight until one chooses
  const [seen, setSeen] = useState<string>()
  if (path !== seen && file !== undefined) setSeen(path)
  const isOpen =
    path !== undefined && (file !== undefined || live.workspace?.textAt(path) !== undefined || seen === path)
  const isRoomy = useIsRoomy()
  const beside = isRoomy && work.beside !== undefined && byPath.has(work.beside) ? work.beside : undefined
  const shared = {
    ...{ id, live, mayWrite, mayRun, session: work.session, onForm: forms.choose },
    ...{ followed: work.following.followed, onOwnMove: () => work.following.follow(undefined) },
    ...{
      marks: running.marks,
      results: running.results,
      onRunPart: work.run,
      onMoved: work.follow,
      helpIn: work.help?.inFile,
    },
  }
  const isPast = compared !== undefined || place.at !== undefined
  let instead: ReactNode
  if (compared) {
    instead = (
      <CompareView
        id={id}
        {...compared}
        last={version}
        mayWrite={mayWrite}
        onCompare={work.compare}
        onOpen={open}
        onClose={() => onPlace(path ? { file: path } : {})}
      />
    )
  } else if (place.at !== undefined) {
    instead = (
      <VersionView
        id={id}
        number={place.at}
        last={version}
        path={path}
        mayWrite={mayWrite}
        onPick={(file) => onPlace({ file, ...(place.at && { at: place.at }) })}
        onClose={() => onPlace(path ? { file: path } : {})}
      />
    )
  } else if (path === undefined) {
    instead = (
      <Empty icon={FileCode2} title="Open a file">
        Pick one on the left to read, edit and run it. The history shows who changed what.
      </Empty>
    )
  } else if (!isOpen) {
    instead = (
      <Empty
        icon={FileX}
        title="File not found"
        action={<Button onClick={() => tabs.close(path)}>Close the tab</Button>}
      >
        <code>{path}</code> was deleted or moved. The history shows what happened to it.
      </Empty>
    )
  }
  return (
    <>
      {(tabs.values.length > 0 || isOpen) && (
        <div className="flex shrink-0 items-stretch border-b border-line bg-sunken max-lg:flex-col">
          <OpenTabs
            label="Open files"
            tabs={tabsOf(tabs.values, work.changedSince)}
            active={isPast ? undefined : path}
            onPick={(next) => open(next)}
            onClose={tabs.close}
          />
          {path && isOpen && !isPast && (
            <FileActions
              id={id}
              path={path}
              file={file}
              form={forms.get(path)}
              starting={running.starting}
              runId={running.isLive ? running.runId : undefined}
              options={options.get(path)}
              check={running.check}
              mayWrite={mayWrite}
              mayRun={mayRun}
              onForm={(form) => forms.choose(path, form)}
              onRun={() => work.run()}
              onOptions={(next) => options.put(path, next)}
              onResetOptions={() => resetOptions(options, path)}
              onRename={() => setDialog({ kind: 'rename', path })}
              onConvert={() => void work.acts.convert(path)}
              onExportNotebook={() => void work.acts.exportNotebook(path)}
              onExportTool={() => setDialog({ kind: 'export-tool', path })}
              onDelete={() => setDialog({ kind: 'delete', path })}
              isBeside={work.beside === path}
              onBeside={() => work.setBeside(work.beside === path ? undefined : path)}
              onHistory={() => {
                work.setHistoryScope('file')
                bench.show('left', 'history')
              }}
            />
          )}
        </div>
      )}
      <Suspense>{instead}</Suspense>
      {path && isOpen && (
        <div hidden={isPast} className="flex min-h-0 flex-1 flex-col">
          <h2 className="sr-only">{path}</h2>
          <Suspense>
            <Breadcrumbs live={live.workspace} path={path} cursor={work.cursor} onOpen={open} onReveal={work.reveal} />
            <SplitPane
              name="editors"
              direction="row"
              secondLabel="Second editor"
              second={
                beside !== undefined && (
                  <BesideFile
                    {...shared}
                    path={beside}
                    file={byPath.get(beside)}
                    form={forms.get(beside)}
                    onRun={() => work.run(beside)}
                    onCursor={() => undefined}
                    onClose={() => work.setBeside(undefined)}
                  />
                )
              }
            >
              <OpenFiles
                {...shared}
                active={path}
                line={place.line}
                open={tabs.values}
                made={work.made}
                fileOf={(one) => byPath.get(one)}
                formOf={forms.get}
                onRun={() => work.run()}
                onCursor={work.cursor.put}
                onClose={tabs.close}
              />
            </SplitPane>
          </Suspense>
        </div>
      )}
      <Suspense>
        {work.help?.asked && (
          <HelpAnswer
            key={work.help.asked.number}
            id={id}
            asked={work.help.asked}
            live={live.workspace}
            taken={work.taken}
            onMade={work.openMade}
            onClose={work.help.close}
          />
        )}
      </Suspense>
    </>
  )
}

const readMe = (files: readonly WorkspaceFile[]) => files.find(({ path }) => /^readme\.md$/i.test(path))?.path

const sideOf: Record<WorkspacePanel, DockSide> = {
  files: 'left',
  search: 'left',
  history: 'left',
  proposals: 'left',
  outline: 'left',
  output: 'bottom',
  problems: 'bottom',
  session: 'bottom',
  log: 'bottom',
  terminal: 'bottom',
  chat: 'right',
  config: 'right',
  preview: 'right',
  packages: 'right',
  variables: 'right',
}

/** A link may name a panel, which is opened; one that names no file leads to the last one that was open. */
function useFirstPlace({ place, onPlace, bench, tabs, files, byPath }: WorkspaceWork): void {
  const { panel, ...rest } = place
  const arrive = useEffectEvent(() => {
    if (panel) bench.show(sideOf[panel], panel)
    const last = tabs.last !== undefined && byPath.has(tabs.last) ? tabs.last : readMe(files)
    const file =
      rest.file === undefined && rest.from === undefined && rest.at === undefined && last ? { file: last } : {}
    if (panel || file.file) onPlace({ ...rest, ...file }, true)
  })
  useEffect(() => arrive(), [panel])
}
