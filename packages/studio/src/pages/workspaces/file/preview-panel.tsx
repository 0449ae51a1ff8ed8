import type { WorkspaceFile } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { fileTextQuery } from '../../../data/file.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { useLiveText } from '../../../live/use-live-text.ts'
import { Empty } from '../../../ui/empty.tsx'
import { useSettled } from '../../../ui/state/use-settled.ts'
import { RenderedText } from './rendered-text.tsx'
import { renderedKind } from './use-file-forms.ts'

interface PreviewPanelProps {
  id: string
  path: string | undefined
  file: WorkspaceFile | undefined
  live: LiveWorkspace | undefined
}

const typingPauseMs = 150

/** The open file as its readers see it, while it is typed. */
export function PreviewPanel({ id, path = '', file, live }: PreviewPanelProps) {
  const kind = renderedKind(path)
  // a notebook is worked in where it is open
  const isRendered = kind !== undefined && kind !== 'notebook' && file?.kind !== 'blob'
  const stored = useQuery({
    ...fileTextQuery(id, file ?? { path, hash: '' }),
    enabled: isRendered && file !== undefined && live === undefined,
  })
  const typed = useLiveText(isRendered ? live : undefined, path)
  const settled = useSettled(typed, typingPauseMs)
  const text = typed === undefined ? stored.data?.text : (settled ?? typed)
  if (isRendered && text !== undefined) return <RenderedText key={path} path={path} text={text} />
  return (
    <Empty icon={Eye} title="Nothing to preview">
      Open a Markdown, CSV, SVG or HTML file to see it rendered while you type.
    </Empty>
  )
}
