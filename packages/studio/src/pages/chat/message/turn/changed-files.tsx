import type { MessagePart } from '@coherex/contract'
import { FilePen } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { TextLink } from '../../../../ui/text/text-link.tsx'
import { hasChanges } from '../tool/tool-results.ts'
import { findChangedFiles } from './find-changed-files.ts'
import { UndoTurnButton } from './undo-turn-button.tsx'

// most answers change nothing
const TurnChanges = lazy(async () => ({ default: (await import('./turn-changes.tsx')).TurnChanges }))

interface ChangedFilesProps {
  parts: readonly MessagePart[]
  workspaceId: string | null
  /** The turn to undo, once it is over. */
  turnId: string | undefined
}

/** The way from an answer to the files it wrote, what it did to them, and back to what they were. */
export function ChangedFiles({ parts, workspaceId, turnId }: ChangedFilesProps) {
  const paths = workspaceId === null ? [] : findChangedFiles(parts)
  const mayUndo = turnId !== undefined && hasChanges(parts)
  if (workspaceId === null || (paths.length === 0 && !mayUndo)) return null
  const names = (
    <ul aria-label="Changed files" className="flex min-w-0 flex-1 flex-wrap gap-x-3 gap-y-1 py-1">
      {paths.map((path) => (
        <li key={path} className="min-w-0 break-all">
          <TextLink to="/workspaces/$id" params={{ id: workspaceId }} search={{ file: path }}>
            {path}
          </TextLink>
        </li>
      ))}
    </ul>
  )
  return (
    <div className="flex flex-wrap items-start gap-2 text-dense text-muted">
      <FilePen aria-hidden className="mt-1.5 size-4 shrink-0" />
      {mayUndo ? (
        <Suspense fallback={names}>
          <TurnChanges turnId={turnId} otherwise={names} />
        </Suspense>
      ) : (
        names
      )}
      {mayUndo && <UndoTurnButton turnId={turnId} />}
    </div>
  )
}
