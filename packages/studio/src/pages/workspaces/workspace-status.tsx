import { formatBytes, languageOfFile, type Language, type WorkspaceFile } from '@coherex/contract'
import { Circle, CloudOff, Sparkles } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useSandbox } from '../../data/sandbox.ts'
import { usePythonState } from '../../editor/python/python-state.ts'
import { useLiveState, type Live } from '../../live/use-live-workspace.ts'
import { languageNames } from '../../output/run-words.ts'
import { useCursor, type CursorPlace } from './cursor-place.ts'
import type { InlineHelp } from './help/use-inline-help.ts'
import { PeopleHere } from './people-here.tsx'

const WorkspaceActivity = lazy(async () => ({ default: (await import('./workspace-activity.tsx')).WorkspaceActivity }))

interface WorkspaceStatusProps {
  id: string
  /** The number of the last version. */
  version: number
  path: string | undefined
  file: WorkspaceFile | undefined
  live: Live
  /** Nobody edits it, and it has no live document. */
  isArchived: boolean
  /** The person or agent that is followed. */
  followed: string | undefined
  onFollow: (id: string | undefined) => void
  cursor: CursorPlace
  /** Where the terminal is. */
  sandboxId: string | undefined
  onSandbox: () => void
  /** Shows the runs. */
  onRuns: () => void
  /** Shows the conversation. */
  onAgent: () => void
  help: InlineHelp | undefined
}

/** The line below the workbench: what is open, whether it is saved, and where one is in it. */
export function WorkspaceStatus(props: WorkspaceStatusProps) {
  const { version, path, file, live, cursor, sandboxId, onSandbox, help } = props
  const language = path === undefined ? undefined : languageOfFile(path)
  return (
    <>
      {sandboxId && <SandboxStatus id={sandboxId} language={language} onOpen={onSandbox} />}
      {path && (
        <span className="min-w-0 truncate" title={path}>
          {path}
        </span>
      )}
      {!props.isArchived && <SaveState live={live} />}
      <Suspense>
        <WorkspaceActivity id={props.id} onRuns={props.onRuns} onAgent={props.onAgent} />
      </Suspense>
      <span className="ml-auto" />
      <PeopleHere peers={live.peers} followed={props.followed} onFollow={props.onFollow} />
      <span className="max-sm:hidden">Workspace version {version}</span>
      {file && <span className="max-sm:hidden">{formatBytes(file.size)}</span>}
      {path && <Position cursor={cursor} path={path} />}
      {language === 'python' && <PythonStatus id={props.id} />}
      {help && path && (
        <button
          type="button"
          aria-pressed={help.isSuggesting}
          title="Suggestions of a model as you type. Tab accepts one, Esc hides it."
          onClick={() => help.setSuggesting(!help.isSuggesting)}
          className="flex items-center gap-1 hover:text-text"
        >
          <Sparkles aria-hidden className="size-3.5" />
          <span className="max-sm:sr-only">Suggestions {help.isSuggesting ? 'on' : 'off'}</span>
        </button>
      )}
      {path && <span>{language ? languageNames[language] : (kindOf(path) ?? 'Text')}</span>}
    </>
  )
}

function Position({ cursor, path }: { cursor: CursorPlace; path: string }) {
  const at = useCursor(cursor, path)
  return (
    at && (
      <span>
        Ln {at.line}, Col {at.column}
      </span>
    )
  )
}

/** Said while completion and errors of Python are not there; nothing once they are. */
function PythonStatus({ id }: { id: string }) {
  const python = usePythonState(id)
  if (!python || python.state === 'ready' || python.state === 'asleep') return null
  if (python.state === 'starting') return <span role="status">Python help is starting</span>
  return (
    <span role="status" title={python.reason} className="text-amber">
      No Python help
    </span>
  )
}

/** Whether what was typed is stored. */
function SaveState({ live }: { live: Live }) {
  const state = useLiveState(live)
  if (state.kind === 'connecting') return <span>Connecting</span>
  if (state.kind === 'saved') return <span>Saved</span>
  if (state.kind === 'saving') return <span>Saving</span>
  if (state.kind === 'refused') return <span className="text-red">Not saved</span>
  return (
    <span
      role="status"
      title="You can go on typing: it is merged when the line is back, and kept in this browser until then."
      className="flex items-center gap-1.5 text-amber"
    >
      <CloudOff aria-hidden className="size-3.5" />
      Offline, {state.changes} {state.changes === 1 ? 'change' : 'changes'}
    </span>
  )
}

function SandboxStatus({ id, language, onOpen }: { id: string; language: Language | undefined; onOpen: () => void }) {
  const { data: sandbox } = useSandbox(id)
  if (sandbox?.status !== 'running') return null
  const session = sandbox.sessions.find((one) => one.language === language)
  return (
    <button type="button" onClick={onOpen} className="flex items-center gap-1.5 hover:text-text">
      <Circle aria-hidden className="size-2 fill-current text-green" />
      {session ? `${languageNames[session.language]} session ${session.status}` : 'Sandbox awake'}
    </button>
  )
}

const kinds: Record<string, string> = {
  md: 'Markdown',
  csv: 'CSV',
  ipynb: 'Notebook',
  tsv: 'TSV',
  json: 'JSON',
  yaml: 'YAML',
  yml: 'YAML',
}

function kindOf(path: string): string | undefined {
  const ending = path.split('.').at(-1)?.toLowerCase() ?? ''
  return kinds[ending] ?? (path.includes('.') ? ending.toUpperCase() : undefined)
}
