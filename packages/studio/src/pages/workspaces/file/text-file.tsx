import { languageOfFile, type WorkspaceFile } from '@coherex/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Right } from '../../../data/access/rights.ts'
import { fileTextQuery } from '../../../data/file.ts'
import { useNamesAfter } from '../../../data/sandbox.ts'
import { CodeEditor, type EditorCursor, type EditorMark, type EditorResult } from '../../../editor/code-editor.tsx'
import type { EditorHelp } from '../../../editor/help.ts'
import { useLiveText } from '../../../live/use-live-text.ts'
import { useLiveState, type Live } from '../../../live/use-live-workspace.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import type { Session } from '../run/use-session.ts'
import type { FilePart } from '../use-run-file.ts'
import { GoneNotice, MovedNotice, RefusedNotice } from './file-notices.tsx'
import { renderedKind, type FileForm } from './use-file-forms.ts'
import { useLiveFile } from './use-live-file.ts'
import { useProposedChanges } from './use-proposed-changes.ts'

const NotebookFile = lazy(async () => ({ default: (await import('../notebook/notebook-file.tsx')).NotebookFile }))
const RenderedText = lazy(async () => ({ default: (await import('./rendered-text.tsx')).RenderedText }))

interface TextFileProps {
  id: string
  path: string
  /** Undefined when it is gone, and for a moment after it was made. */
  file: WorkspaceFile | undefined
  live: Live
  /** Who is followed, until one moves oneself. */
  followed: string | undefined
  onOwnMove: () => void
  form: FileForm
  onForm: (path: string, form: FileForm) => void
  line: number | undefined
  /** It is the one in sight. */
  isShown: boolean
  /** It was just made, and is to be typed in. */
  autoFocus: boolean
  mayWrite: Right
  mayRun: Right
  /** Where cells of notebooks run. */
  session: Session
  marks: readonly EditorMark[]
  results: readonly EditorResult[]
  onRun: () => void
  /** Runs a part of it. */
  onRunPart: (path: string, part: FilePart) => void
  onCursor: (cursor: EditorCursor) => void
  /** A model that helps in it. */
  helpIn: ((path: string) => EditorHelp) | undefined
  /** It is at another path now. */
  onMoved: (from: string, to: string) => void
  onClose: (path: string) => void
}

/** A text to read and, for those who may, to type in with others. */
export function TextFile(props: TextFileProps) {
  const { id, path, file, live, form, line, mayWrite, marks, onRun } = props
  const { workspace } = live
  const found = useLiveFile(workspace, path)
  const stored = useQuery({
    ...fileTextQuery(id, file ?? { path, hash: '' }),
    enabled: file !== undefined && found.kind === 'none',
    placeholderData: keepPreviousData,
  })
  const isNotebook = renderedKind(path) === 'notebook'
  // cells go on running while another file is in sight
  const typedText = useLiveText(form === 'rendered' && (props.isShown || isNotebook) ? workspace : undefined, path)
  const text = found.kind === 'gone' ? found.text : (typedText ?? stored.data?.text)
  const files = useMemo(() => ({ [path]: text ?? '' }), [path, text])
  const reveal = useMemo(() => (line ? { path, line } : undefined), [path, line])
  const results = useMemo(() => props.results.filter((one) => one.path === path), [props.results, path])
  const namesAfter = useNamesAfter(props.session.sandboxId, languageOfFile(path))
  const proposed = useProposedChanges(id, path, mayWrite)
  // an editor that nobody asked for is not loaded
  const [wasSource, setWasSource] = useState(false)
  if (props.isShown && form === 'source' && !wasSource) setWasSource(true)
  // while it is typed in, the marks of the last run point at the wrong lines
  const [typed, setTyped] = useState(false)
  const [seenMarks, setSeenMarks] = useState(marks)
  if (seenMarks !== marks) {
    setSeenMarks(marks)
    setTyped(false)
  }

  if (found.kind === 'none' && text === undefined) {
    if (stored.error) {
      return <ErrorState doing={`load ${path}`} error={stored.error} onRetry={() => void stored.refetch()} />
    }
    return waiting
  }
  const isOpen = found.kind === 'here' || found.kind === 'moved'
  const why = mayWrite.why ?? (found.kind === 'gone' ? 'The file was deleted.' : 'Connecting to the workspace.')
  return (
    <>
      {found.kind === 'gone' && (
        <GoneNotice id={id} path={path} text={found.text} mayWrite={mayWrite} onClose={() => props.onClose(path)} />
      )}
      {found.kind === 'moved' && <MovedNotice to={found.to} onFollow={() => props.onMoved(path, found.to)} />}
      <Refusal live={live} />
      {form === 'rendered' && text !== undefined && (
        <Suspense fallback={waiting}>
          {isNotebook ? (
            <NotebookFile
              path={path}
              text={text}
              live={isOpen ? workspace : undefined}
              mayWrite={mayWrite}
              mayRun={props.mayRun}
              session={props.session}
              onSource={() => props.onForm(path, 'source')}
            />
          ) : (
            <RenderedText path={path} text={text} />
          )}
        </Suspense>
      )}
      {wasSource && (
        <div hidden={form !== 'source'} className="flex min-h-0 flex-1 flex-col">
          <CodeEditor
            label={path}
            folder={`workspaces/${id}`}
            files={files}
            active={path}
            live={
              isOpen && workspace
                ? {
                    texts: workspace,
                    textId: found.textId,
                    mayWrite: mayWrite.may,
                    followed: props.followed,
                    onOwnMove: props.onOwnMove,
                    onTyped: () => setTyped(true),
                  }
                : undefined
            }
            readOnlyWhy={mayWrite.may && isOpen ? undefined : why}
            onRun={onRun}
            onRunPart={(code, lastLine) => props.onRunPart(path, { code, lastLine })}
            onCursor={props.onCursor}
            help={mayWrite.may && isOpen ? props.helpIn?.(path) : undefined}
            marks={typed ? noMarks : marks}
            results={typed ? undefined : results}
            proposed={proposed}
            namesAfter={namesAfter}
            reveal={reveal}
            autoFocus={props.autoFocus}
          />
        </div>
      )}
    </>
  )
}

function Refusal({ live }: { live: Live }) {
  const state = useLiveState(live)
  return state.kind === 'refused' && <RefusedNotice reason={state.reason} onDiscard={() => live.discardRefused()} />
}

const noMarks: EditorMark[] = []
const waiting = (
  <WaitingLines label="Loading the file" className="gap-2 p-4" lines={['h-3 w-64', 'h-3 w-80', 'h-3 w-52']} />
)
