import { formatBytes, type AttachedFile, type MessagePart } from '@coherex/contract'
import { FileText } from 'lucide-react'
import { attachmentUrl } from '../../../data/attachment.ts'
import { visibleText } from '../../../words/visible-text.ts'

/** Files of a message that are no images. */
export function attachedFiles(parts: readonly MessagePart[]): AttachedFile[] {
  return parts.flatMap((part) => (part.type === 'data-file' && isFile(part['data']) ? part['data'] : []))
}

/** The files that came with a message, and where the agent finds them. */
export function AttachedFiles({ parts }: { parts: readonly MessagePart[] }) {
  const files = attachedFiles(parts)
  if (files.length === 0) return null
  return (
    <ul aria-label="Attached files" className="flex flex-wrap gap-2">
      {files.map(({ id, name, size, place, path }) => (
        <li key={id}>
          <a
            href={attachmentUrl(id)}
            download
            title={`${visibleText(path)} in the ${place}`}
            className="flex max-w-80 items-center gap-2 rounded-md border border-line bg-surface px-2.5 py-1.5 text-dense hover:bg-hover"
          >
            <FileText aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="truncate">{visibleText(name)}</span>
            <span className="shrink-0 text-small text-muted tabular">
              {formatBytes(size)} · {place}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** What comes from an imported file may have any form. */
function isFile(data: unknown): data is AttachedFile {
  const { id, name, path, size } = (data ?? {}) as Record<string, unknown>
  return [id, name, path].every((one) => typeof one === 'string') && typeof size === 'number'
}
