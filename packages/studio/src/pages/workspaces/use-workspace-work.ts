import type { Workspace, WorkspaceFile } from '@coherex/contract'
import { useEffect, useMemo, useState } from 'react'
import { useRight, type Right } from '../../data/access/rights.ts'
import { useLiveWorkspace } from '../../live/use-live-workspace.ts'
import { readOwn, writeOwn } from '../../ui/state/stored.ts'
import { useOpenTabs } from '../../workbench/use-open-tabs.ts'
import { useWorkbench } from '../../workbench/use-workbench.ts'
import { createCursorPlace } from './cursor-place.ts'
import type { FileDialog } from './file/file-dialogs.tsx'
import { useFileForms } from './file/use-file-forms.ts'
import { useChangedSince } from './files/use-changed-since.ts'
import { useFileActs } from './files/use-file-acts.ts'
import { useUpload } from './files/use-upload.ts'
import { useInlineHelp } from './help/use-inline-help.ts'
import { useFileOptions } from './run/use-file-options.ts'
import { useSession } from './run/use-session.ts'
import { useFollow } from './use-follow.ts'
import { useRunFile, type FilePart } from './use-run-file.ts'
import type { WorkspacePlace } from './workspace-place.ts'

export interface WorkspaceViewProps {
  workspace: Workspace
  files: readonly WorkspaceFile[]
  /** The number of the last version. */
  version: number
  place: WorkspacePlace
  onPlace: (place: WorkspacePlace, replace?: boolean) => void
}

export type WorkspaceWork = ReturnType<typeof useWorkspaceWork>

/** What is open in a workspace and what can be done with it; the panels around the files show parts of it. */
export function useWorkspaceWork({ workspace, files, version, place, onPlace }: WorkspaceViewProps) {
  const { id } = workspace
  const right = useRight('editor', 'change files')
  const mayRun = useRight('editor', 'run code')
  const mayWrite = workspace.archivedAt ? archivedRight : right
  const live = useLiveWorkspace(id, workspace.archivedAt === null)
  const options = useFileOptions(id)
  const help = useInlineHelp(live.workspace, mayWrite)
  const forms = useFileForms()
  const byPath = useMemo(() => new Map(files.map((file) => [file.path, file])), [files])
  const taken = useMemo(() => new Set(byPath.keys()), [byPath])
  const { upload, progress } = useUpload(id, taken)
  const [dialog, setDialog] = useState<FileDialog>()
  const [folders, setFolders] = useState<readonly string[]>([])
  const [isGoing, setGoing] = useState(false)
  const [searches, setSearches] = useState(0)
  const [made, setMade] = useState<string>()
  const [historyScope, setHistoryScope] = useState<'all' | 'file'>('all')
  const [cursor] = useState(createCursorPlace)
  const besideKey = `draft.beside.${id}`
  const [beside, setBeside] = useState(() => readOwn(besideKey))
  const sandboxKey = `draft.terminal.${id}`
  const [sandboxId, setSandbox] = useState(() => readOwn(sandboxKey))

  const { file: path, from, to } = place
  const file = path === undefined ? undefined : byPath.get(path)
  const compared = from !== undefined && to !== undefined ? { from, to } : undefined
  const bench = useWorkbench('workspace', {
    panels: { left: 'files', bottom: 'output', right: 'chat' },
    region: path || compared ? 'centre' : 'left',
  })
  function open(next: string, line?: number) {
    bench.goTo('centre')
    if (line) forms.lead(next)
    onPlace({ file: next, ...(line ? { line } : {}) })
  }
  const tabs = useOpenTabs({
    name: `workspace.${id}`,
    active: path,
    onPick: (next) => (next === undefined ? onPlace({}) : open(next)),
  })
  function keepSandbox(next: string | undefined) {
    setSandbox(next)
    writeOwn(sandboxKey, next)
  }
  function showBeside(next: string | undefined) {
    setBeside(next)
    writeOwn(besideKey, next)
  }
  function openMade(next: string) {
    // it is typed in at once, whatever its kind
    forms.lead(next)
    setMade(next)
    open(next)
  }
  function follow(before: string, after: string) {
    tabs.move(before, after)
    if (beside === before || beside?.startsWith(`${before}/`)) showBeside(after + beside.slice(before.length))
    if (path === before || path?.startsWith(`${before}/`)) open(after + path.slice(before.length))
  }
  const changedSince = useChangedSince({ workspaceId: id, files, version, path })
  const [revealed, setRevealed] = useState<{ path: string }>()
  const following = useFollow(live.peers, path, open)
  const show = live.workspace
  useEffect(() => show?.show({ file: path, selection: undefined }), [show, path])
  const acts = useFileActs({
    ...{ id, taken, onMoved: follow, onMade: openMade },
    onConverted: (made) => open(made),
    textAt: (one) => live.workspace?.textAt(one)?.text.toString(),
  })
  const session = useSession({ workspace, live: live.workspace, sandboxId, onSandbox: keepSandbox })
  const running = useRunFile({
    workspaceId: id,
    live: live.workspace,
    options,
    session,
    onStarted: () => bench.show('bottom', 'output'),
    // its options are those of the file in sight
    onWrong: (what) => what !== path && open(what),
  })

  return {
    ...{ workspace, files, version, place, onPlace, path, file, compared, byPath, taken, mayWrite, mayRun },
    ...{ bench, tabs, live, options, forms, session, running, following, acts, upload, progress, help },
    ...{
      dialog,
      setDialog,
      isGoing,
      setGoing,
      folders,
      made,
      cursor,
      historyScope,
      setHistoryScope,
    },
    ...{ open, openMade, follow, sandboxId, beside, setBeside: showBeside },
    ...{ changedSince, revealed },
    /** How often one asked to search: the field is typed in then. */
    searches,
    search() {
      bench.show('left', 'search')
      setSearches(searches + 1)
    },
    /** Shows a folder in the tree. */
    reveal(folder: string) {
      bench.show('left', 'files')
      setRevealed({ path: folder })
    },
    addFolder: (folder: string) => setFolders([...folders, folder]),
    setSandbox: keepSandbox,
    compare(before: number, after: number) {
      bench.goTo('centre')
      onPlace({ ...(path ? { file: path } : {}), from: before, to: after })
    },
    showAt(number: number) {
      bench.goTo('centre')
      onPlace({ ...(path ? { file: path } : {}), ...(number < version ? { at: number } : {}) }, place.at !== undefined)
    },
    /** Runs a file, or a part of it. */
    run(what = path, part?: FilePart) {
      if (what && mayRun.may) void running.start(what, part)
    },
  }
}

const archivedRight: Right = { may: false, why: 'It is archived. Unarchive it to change it.' }
