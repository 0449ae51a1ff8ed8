import type { WorkspaceFile } from '@coherex/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { fileTextQuery } from '../../../data/file.ts'
import type { Right } from '../../../data/rights.ts'
import { CodeEditor, type EditorMark } from '../../../editor/code-editor.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { ChangedNotice, ConflictNotice, GoneNotice } from './file-notices.tsx'
import type { FileDrafts } from './use-file-drafts.ts'
import type { SaveWay } from './use-save-file.ts'

interface TextFileProps {
  id: string
  path: string
  /** Undefined when it is gone and only typed text is left of it. */
  file: WorkspaceFile | undefined
  line: number | undefined
  drafts: FileDrafts
  mayWrite: Right
  conflict: boolean
  marks: readonly EditorMark[]
  onSave: (way: SaveWay) => void
  onDiscard: () => void
  onRun: () => void
}

/** A text to read and, for those who may, to type in. */
export function TextFile(props: TextFileProps) {
  const { id, path, file, line, drafts, mayWrite, conflict, marks, onSave, onDiscard, onRun } = props
  const draft = drafts.get(path)
  const stored = useQuery({
    ...fileTextQuery(id, file ?? { path, hash: '' }),
    enabled: file !== undefined,
    placeholderData: keepPreviousData,
  })
  const text = draft?.text ?? stored.data?.text
  const files = useMemo(() => (text === undefined ? undefined : { [path]: text }), [path, text])
  const reveal = useMemo(() => (line ? { path, line } : undefined), [path, line])
  // while it is typed in, the marks of the last run point at the wrong lines
  const [typed, setTyped] = useState(false)
  const [seenMarks, setSeenMarks] = useState(marks)
  if (seenMarks !== marks) {
    setSeenMarks(marks)
    setTyped(false)
  }

  if (!files) {
    if (stored.error) {
      return <ErrorState doing={`load ${path}`} error={stored.error} onRetry={() => void stored.refetch()} />
    }
    return <WaitingLines label="Loading the file" className="gap-2 p-4" lines={['h-3 w-64', 'h-3 w-80', 'h-3 w-52']} />
  }
  const version = draft?.version ?? stored.data?.version ?? 0
  return (
    <>
      {draft && !file && <GoneNotice onDiscard={onDiscard} />}
      {draft && file && conflict && (
        <ConflictNotice
          id={id}
          path={path}
          since={draft.version}
          onOver={() => onSave('over')}
          onTakeTheirs={onDiscard}
        />
      )}
      {draft && file && !conflict && file.version > draft.version && <ChangedNotice />}
      <CodeEditor
        label={path}
        folder={`workspaces/${id}`}
        files={files}
        active={path}
        onChange={
          mayWrite.may
            ? (_path, next) => {
                setTyped(true)
                drafts.put(path, next === stored.data?.text ? undefined : { text: next, version })
              }
            : undefined
        }
        readOnlyWhy={mayWrite.why}
        onRun={onRun}
        marks={typed ? noMarks : marks}
        reveal={reveal}
      />
    </>
  )
}

const noMarks: EditorMark[] = []
