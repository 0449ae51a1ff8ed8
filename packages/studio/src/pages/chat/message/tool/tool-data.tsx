import { GitPullRequestArrow } from 'lucide-react'
import { lazy, Suspense, use } from 'react'
import { CodeText } from '../../../../markdown/code-block.tsx'
import { TextLink } from '../../../../ui/text/text-link.tsx'
import { DraftPill } from '../draft-pill.tsx'
import { DraftBesideContext } from '../shown-beside.ts'
import { readDraft, readProposal } from './tool-results.ts'

// most calls define and propose nothing
const DraftActions = lazy(async () => ({ default: (await import('../../draft-actions.tsx')).DraftActions }))
const Changes = lazy(async () => ({ default: (await import('../../../../change/changes.tsx')).Changes }))

/** What a tool gave beside its words: a definition that grows, or a change that waits for a person. */
export function ToolData({ data, workspaceId }: { data: unknown; workspaceId: string | null }) {
  const draft = readDraft(data)
  const isBeside = use(DraftBesideContext)
  if (draft) {
    return (
      <figure className="overflow-clip rounded-md border border-line bg-surface">
        <figcaption className="flex min-h-9 flex-wrap items-center gap-2 bg-sunken px-3 py-1 text-dense not-last:border-b not-last:border-line">
          <span className="font-medium">{draft.saved ?? 'Definition'}</span>
          <DraftPill draft={draft} />
          <span className="flex-1" />
          {isBeside && draft.saved && (
            <TextLink to="/agents/$name" params={{ name: draft.saved }}>
              Open agent
            </TextLink>
          )}
          {!isBeside && (
            <Suspense>
              <DraftActions draft={draft} />
            </Suspense>
          )}
        </figcaption>
        {!isBeside && <CodeText text={draft.source} language="yaml" label="Definition" />}
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
        <span className="flex-1 text-muted">Someone else changed the same lines and must decide.</span>
        {workspaceId && (
          <TextLink to="/workspaces/$id" params={{ id: workspaceId }} search={{ panel: 'proposals' }}>
            Decide
          </TextLink>
        )}
      </figcaption>
      <Suspense>
        <Changes diff={proposal.diff} label="Proposed change" />
      </Suspense>
    </figure>
  )
}
