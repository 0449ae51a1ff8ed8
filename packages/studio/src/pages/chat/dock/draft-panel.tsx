import { ScrollText } from 'lucide-react'
import { CodeText } from '../../../markdown/code-block.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { CopyButton } from '../../../ui/text/copy-button.tsx'
import { DraftActions } from '../draft-actions.tsx'
import { DraftPill } from '../message/draft-pill.tsx'
import type { DefinitionDraft } from '../message/tool/tool-results.ts'

/** The definition that a conversation with the builder has come to. */
export function DraftPanel({ draft }: { draft: DefinitionDraft | undefined }) {
  if (!draft)
    return (
      <Empty icon={ScrollText} title="No definition yet">
        Describe the agent you want. Its definition appears here as the builder writes it.
      </Empty>
    )
  return (
    <>
      <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <h2 className="text-body font-semibold">{draft.saved ?? 'Definition'}</h2>
        <DraftPill draft={draft} />
        <span className="flex-1" />
        <CopyButton text={draft.source} />
        <DraftActions key={draft.source} draft={draft} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto [&_pre]:max-h-none">
        <CodeText text={draft.source} language="yaml" label="Definition so far" />
      </div>
    </>
  )
}
