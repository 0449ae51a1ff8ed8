import { GitPullRequestArrow } from 'lucide-react'
import { CodeText } from '../../../markdown/code-block.tsx'
import { DiffView } from '../../../ui/diff-view.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { DraftPill } from './draft-pill.tsx'
import { readDraft, readProposal } from './tool-results.ts'

/** What a tool gave beside its words: a definition that grows, or a change that waits for a person. */
export function ToolData({ data, workspaceId }: { data: unknown; workspaceId: string | null }) {
  const draft = readDraft(data)
  if (draft) {
    return (
      <figure className="overflow-clip rounded-md border border-line bg-surface">
        <figcaption className="flex h-9 items-center gap-2 border-b border-line bg-sunken px-3 text-dense">
          <span className="font-medium">{draft.saved ?? 'Definition'}</span>
          <DraftPill draft={draft} />
          <span className="flex-1" />
          {draft.saved && (
            <TextLink to="/agents/$name" params={{ name: draft.saved }}>
              Open agent
            </TextLink>
          )}
        </figcaption>
        <CodeText text={draft.source} language="yaml" label="Definition" />
      </figure>
    )
  }
  const proposal = readProposal(data)
  if (!proposal) return null
  return (
    <figure className="flex flex-col gap-2 rounded-md border border-line bg-surface p-3">
      <figcaption className="flex items-center gap-2 text-dense">
        <GitPullRequestArrow aria-hidden className="size-4 text-amber" />
        <span className="font-medium">Proposed change</span>
        <span className="flex-1 text-muted">Someone changed the same lines, and decides.</span>
        {workspaceId && (
          <TextLink to="/workspaces/$id" params={{ id: workspaceId }} search={{ panel: 'proposals' }}>
            Decide
          </TextLink>
        )}
      </figcaption>
      <DiffView diff={proposal.diff} label="Proposed change" />
    </figure>
  )
}
