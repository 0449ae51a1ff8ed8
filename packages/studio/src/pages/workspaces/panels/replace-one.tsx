import type { TextMatch } from '@coherex/contract'
import { Replace } from 'lucide-react'
import type { TextQuery } from '../../../data/file.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useReplaceTexts } from './use-replace-texts.ts'

interface ReplaceOneProps {
  id: string
  live: LiveWorkspace
  query: TextQuery
  replacement: string
  match: TextMatch
}

/** Replaces the first match of a line. */
export function ReplaceOne({ id, live, query, replacement, match }: ReplaceOneProps) {
  const replace = useReplaceTexts(live, id, query)
  return (
    <IconButton
      label={`Replace in line ${match.line} of ${match.path}`}
      size="small"
      icon={<Replace aria-hidden />}
      disabled={replace.isPending}
      onClick={() => void replace.run(replacement, match)}
    />
  )
}
