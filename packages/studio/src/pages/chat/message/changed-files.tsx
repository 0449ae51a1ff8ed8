import type { MessagePart } from '@coherex/contract'
import { FilePen } from 'lucide-react'
import { TextLink } from '../../../ui/text-link.tsx'
import { findChangedFiles } from './find-changed-files.ts'

/** The way from an answer to the files it wrote. */
export function ChangedFiles({ parts, workspaceId }: { parts: readonly MessagePart[]; workspaceId: string | null }) {
  const paths = workspaceId === null ? [] : findChangedFiles(parts)
  if (workspaceId === null || paths.length === 0) return null
  return (
    <div className="flex items-start gap-2 text-dense text-muted">
      <FilePen aria-hidden className="mt-0.5 size-4 shrink-0" />
      <ul aria-label="Changed files" className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
        {paths.map((path) => (
          <li key={path} className="min-w-0 break-all">
            <TextLink to="/workspaces/$id" params={{ id: workspaceId }} search={{ file: path }}>
              {path}
            </TextLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
